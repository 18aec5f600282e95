package io.millrace.base.log;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Writes times as ISO-8601 with milliseconds and offset; works out a second once. Used by one thread. */
final class Timestamps {
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");
    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("XXX");

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
            beforeMillis = SECOND.format(time) + '.';
            afterMillis = OFFSET.format(time);
        }
        var rest = Math.floorMod(millis, 1_000);
        out.append(beforeMillis);
        out.append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
        out.append(afterMillis);
    }
}
