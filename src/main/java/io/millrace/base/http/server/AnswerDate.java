package io.millrace.base.http.server;

import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Value of the header Date of each answer (RFC 9110, 6.6.1). Formatted once a second, for all event loops. */
final class AnswerDate {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private record DateText(long second, CharSequence text) {}

    private final InstantSource clock;
    private volatile DateText last = new DateText(Long.MIN_VALUE, "");

    AnswerDate(InstantSource clock) {
        this.clock = clock;
    }

    CharSequence now() {
        var second = Math.floorDiv(clock.millis(), 1_000);
        var written = last;
        if (written.second != second) {
            written = new DateText(second, HttpHeaders.createOptimized(FORM.format(Instant.ofEpochSecond(second))));
            last = written;
        }
        return written.text;
    }
}
