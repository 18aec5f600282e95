package io.millrace.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimestampsTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-26T04:52:39.732Z, UTC, 2026-11-26T04:52:39.732Z",
        "2026-11-26T04:52:00.007Z, UTC, 2026-11-26T04:52:00.007Z",
        "2026-12-31T23:00:00.000Z, Europe/Berlin, 2027-01-01T00:00:00.000+01:00",
        "2026-07-01T00:00:59.010Z, America/New_York, 2026-06-30T20:00:59.010-04:00",
        "2026-07-01T00:00:59.999Z, Asia/Kolkata, 2026-07-01T05:30:59.999+05:30",
        "1969-12-31T23:59:59.001Z, UTC, 1969-12-31T23:59:59.001Z"
    })
    void writesSecondsMillisecondsAndOffset(Instant instant, ZoneId zone, String expected) {
        var out = new StringBuilder();
        new Timestamps(zone).write(instant.toEpochMilli(), out);
        assertThat(out).hasToString(expected);
    }
}
