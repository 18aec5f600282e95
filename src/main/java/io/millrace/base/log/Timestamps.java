package io.millrace.base.log;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Writes times as ISO-8601 with milliseconds and offset; formats each second once, without a formatter, which would cost a
 * start more than all its log lines. Confined to one thread.
 */
final class Timestamps {
    /** {@code 2026-01-01T00:00} and its seconds, which {@link LocalDateTime} leaves out where they are zero. */
    private static final int WITHOUT_SECONDS = 16;

    private final ZoneId zone;
    private long second = Long.MIN_VALUE;
    private String beforeMillis = "";
    private String afterMillis = "";

    Timestamps(ZoneId zone) {
        this.zone = zone;
    }

    void write(long millis, StringBuilder out) {
        var now = Math.floorDiv(millis, 1_000L);
        if (now != second) {
            var time = Instant.ofEpochSecond(now).atZone(zone);
            second = now;
            var local = time.toLocalDateTime().toString();
            beforeMillis = (local.length() == WITHOUT_SECONDS ? local + ":00" : local) + '.';
            afterMillis = time.getOffset().getId();
        }
        var rest = Math.floorMod(millis, 1_000);
        out.append(beforeMillis);
        out.append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
        out.append(afterMillis);
    }
}
