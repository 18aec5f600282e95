package io.millrace.base.trace;

import java.time.Instant;
import java.util.Map;

/**
 * An operation of a trace, with its begin and its end.
 *
 * @param parentSpanId empty for the first of a trace
 * @param attributes by the names of the semantic conventions where there are some; texts, numbers and flags. Never a payload
 * @param error reason of its failure; empty on success
 */
public record Span(
        TraceContext context,
        String parentSpanId,
        String name,
        Kind kind,
        Instant start,
        Instant end,
        Map<String, Object> attributes,
        String error) {
    /** On which side of a call it was done, with its number on the wire. */
    public enum Kind {
        INTERNAL(1),
        SERVER(2),
        CLIENT(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    public Span {
        attributes = Map.copyOf(attributes);
    }
}
