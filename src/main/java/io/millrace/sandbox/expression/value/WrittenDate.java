package io.millrace.sandbox.expression.value;

import java.util.Optional;

/**
 * A date in a notation that JavaScript engines accept.
 *
 * @param milliseconds since the epoch; a date without a zone is in UTC
 * @param hasZone true for a date with an offset or the name of a zone
 */
public record WrittenDate(long milliseconds, boolean hasZone) {
    /** Reads a date as {@link JsDates#parse(String)}; empty also for a day that its month does not have. */
    public static Optional<WrittenDate> read(String text) {
        return JsDates.written(text);
    }
}
