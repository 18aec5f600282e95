package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Seeds;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTimestampTest {
    private static final DateTimeFormatter FORMATTER =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final long SECOND_MIN =
            Instant.parse("-0100-01-01T00:00:00Z").getEpochSecond();
    private static final long SECOND_MAX =
            Instant.parse("+12000-01-01T00:00:00Z").getEpochSecond();

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999Z",
        "2026-11-26T05:07:09.001999Z, 2026-11-26T05:07:09.001Z",
        "2024-02-29T23:00:00.120Z, 2024-02-29T23:00:00.120Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z"
    })
    void printsMillisecondsInUtc(Instant instant, String expected) {
        assertThat(Json.timestamp(instant)).isEqualTo(expected);
    }

    @Test
    void leavesNullAlone() {
        assertThat(Json.timestamp(null)).isNull();
    }

    @Test
    void printsAnyTimeLikeTheFormatter() {
        Seeds.each(2_000, random -> {
            var instant = Instant.ofEpochSecond(random.nextLong(SECOND_MIN, SECOND_MAX), random.nextInt(1_000_000_000));
            assertThat(Json.timestamp(instant)).isEqualTo(FORMATTER.format(instant));
        });
    }
}
