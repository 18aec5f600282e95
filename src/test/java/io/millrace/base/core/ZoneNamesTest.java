package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Time zone names in flows and schedules. */
final class ZoneNamesTest {
    @Test
    void readsEveryIanaName_inAnyCase() {
        for (var id : ZoneId.getAvailableZoneIds()) {
            assertThat(ZoneNames.of(id)).isEqualTo(ZoneId.of(id));
            assertThat(ZoneNames.of(" " + id.toLowerCase(Locale.ROOT) + " ").getRules())
                    .as(id)
                    .isEqualTo(ZoneId.of(id).getRules());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "EST, -05:00, -05:00",
        "edt, -05:00, -04:00",
        "PST, -08:00, -07:00",
        "MST, -07:00, -07:00",
        "MDT, -07:00, -06:00",
        "CST, -06:00, -05:00",
        "HST, -10:00, -10:00",
        "CET, +01:00, +02:00",
        "CEST, +01:00, +02:00",
        "MESZ, +01:00, +02:00",
        "WET, Z, +01:00",
        "EET, +02:00, +03:00",
        "BST, Z, +01:00",
        "MSK, +03:00, +03:00",
        "IST, +05:30, +05:30",
        "SGT, +08:00, +08:00",
        "JST, +09:00, +09:00",
        "AEST, +11:00, +10:00",
        "NZST, +13:00, +12:00",
        "ROC, +08:00, +08:00",
        "Factory, Z, Z",
        "GMT, Z, Z",
        "UTC, Z, Z",
        "Z, Z, Z",
        "UTC+2, +02:00, +02:00",
        "GMT-03:30, -03:30, -03:30",
        "+05:45, +05:45, +05:45",
        "UTC+5:30, +05:30, +05:30",
        "utc -3, -03:00, -03:00",
        "GMT \u22123:30, -03:30, -03:30",
        "+530, +05:30, +05:30",
        "+0545, +05:45, +05:45",
        "-8, -08:00, -08:00",
        "EST5EDT, -05:00, -04:00",
        "US/Eastern, -05:00, -04:00",
        "america/new york, -05:00, -04:00",
        "Asia/Calcutta, +05:30, +05:30",
        "Europe/Kiev, +02:00, +03:00",
    })
    void readsAbbreviationsOffsetsAndOldNames(String name, String winter, String summer) {
        var zone = ZoneNames.of(name);

        assertThat(LocalDateTime.parse("2026-01-15T12:00").atZone(zone).getOffset())
                .hasToString(winter);
        assertThat(LocalDateTime.parse("2026-07-15T12:00").atZone(zone).getOffset())
                .hasToString(summer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mars/Olympus", "EUR", "UTC+25", "Europe", "Berlin"})
    void refusesOtherNames(String name) {
        assertThatThrownBy(() -> ZoneNames.of(name)).isInstanceOf(DateTimeException.class);
    }
}
