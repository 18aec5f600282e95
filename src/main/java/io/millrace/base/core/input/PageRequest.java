package io.millrace.base.core.input;

import io.millrace.base.core.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

/**
 * Request for one page of a list. The cursor is opaque to clients: direction, creation time in microseconds and id, so that
 * rows created in the same instant are neither skipped nor repeated (contract admin-api 1.7, design note).
 *
 * @param limit largest number of rows, at least 1
 * @param key the row to start after, null for the first page
 * @param backwards true for the page before the key
 */
public record PageRequest(int limit, PageKey key, boolean backwards) {
    /** Largest page; a larger limit is cut to it. */
    public static final int LIMIT_MAX = 1000;

    public PageRequest {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("expected a limit from 1 to " + LIMIT_MAX + ", found " + limit);
        }
    }

    /** The page after a cursor that this server issued; empty when the text is no such cursor. */
    public static Optional<PageRequest> parse(int limit, String cursor) {
        if (cursor == null) {
            return Optional.of(new PageRequest(limit, null, false));
        }
        try {
            var text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            var parts = text.split(":", -1);
            if (parts.length != 3 || !(parts[0].equals("next") || parts[0].equals("prev")) || !Ids.isId(parts[2])) {
                return Optional.empty();
            }
            var created = Instant.EPOCH.plus(Long.parseLong(parts[1]), ChronoUnit.MICROS);
            return Optional.of(new PageRequest(limit, new PageKey(created, parts[2]), parts[0].equals("prev")));
        } catch (IllegalArgumentException | ArithmeticException | java.time.DateTimeException malformed) {
            return Optional.empty();
        }
    }

    /**
     * An upper bound of creation times for a newest-first list, lowered to the key of the page. PostgreSQL may begin its scan of an index
     * at this bound, not at the key, and would skip all earlier pages again.
     */
    public Optional<Instant> upperBound(Optional<Instant> before) {
        return before.map(bound -> key != null && !backwards && key.created().isBefore(bound) ? key.created() : bound);
    }

    /** A lower bound of creation times for a newest-first list, raised to the key of a page that is read backwards. */
    public Optional<Instant> lowerBound(Optional<Instant> after) {
        return after.map(bound -> key != null && backwards && key.created().isAfter(bound) ? key.created() : bound);
    }

    static String cursor(boolean forward, PageKey key) {
        var text = (forward ? "next:" : "prev:") + ChronoUnit.MICROS.between(Instant.EPOCH, key.created()) + ":"
                + key.id();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
