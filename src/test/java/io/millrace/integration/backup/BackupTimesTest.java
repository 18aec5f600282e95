package io.millrace.integration.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.base.backup.BackupNames;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupTimesTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    private static final List<String> NAMES = List.of(
            "millrace-20260301T030000Z.backup",
            "millrace-20260308T030000Z.backup",
            "millrace-20260309T030000Z.backup",
            "millrace-20260310T030000Z.backup",
            "millrace-20260310T030000Z.backup.123.part",
            "by-hand.backup",
            "millrace-1999.backup",
            "millrace-20261399T250000Z.backup");

    @ParameterizedTest
    @CsvSource(textBlock = """
            2026-03-10T02:59:59.9Z, 2026-03-10T03:00:00Z
            2026-03-10T03:00:00Z, 2026-03-10T15:30:00Z
            2026-03-10T15:30:00Z, 2026-03-11T03:00:00Z
            2026-12-31T23:00:00Z, 2027-01-01T03:00:00Z
            """)
    void isDueAtTheNextTimeOfTheDay(Instant after, Instant next) {
        assertThat(BackupTimes.next(List.of(LocalTime.of(15, 30), LocalTime.of(3, 0)), after))
                .isEqualTo(next);
    }

    @Test
    void hasItsMomentInItsName() {
        var name = BackupNames.nameAt(Instant.parse("2026-03-10T03:00:07Z"));

        assertThat(name).isEqualTo("millrace-20260310T030007Z.backup");
        assertThat(BackupNames.isBackup(name)).isTrue();
        assertThat(BackupNames.momentOf(name)).isEqualTo("2026-03-10T03:00:07Z");
        assertThatIllegalArgumentException().isThrownBy(() -> BackupNames.momentOf("by-hand.backup"));
    }

    @Test
    void dropsAllButTheNewest_andNothingElse() {
        assertThat(BackupTimes.surplus(NAMES, 2, 0, NOW))
                .containsExactlyInAnyOrder("millrace-20260301T030000Z.backup", "millrace-20260308T030000Z.backup");
        assertThat(BackupTimes.surplus(NAMES, 0, 0, NOW)).isEmpty();
        assertThat(BackupTimes.surplus(List.of(), 1, 1, NOW)).isEmpty();
    }

    @Test
    void dropsWhatIsTooOld_butNeverTheNewest() {
        assertThat(BackupTimes.surplus(NAMES, 0, 7, NOW)).containsExactly("millrace-20260301T030000Z.backup");
        assertThat(BackupTimes.surplus(List.of("millrace-20260301T030000Z.backup"), 1, 7, NOW))
                .isEmpty();
    }

    @Test
    void dropsTheThreeOldestOnly_whenTheClockIsYearsAhead() {
        var names = IntStream.rangeClosed(1, 9)
                .mapToObj(day -> "millrace-2026030" + day + "T030000Z.backup")
                .toList();

        assertThat(BackupTimes.surplus(names, 0, 7, NOW.plus(3_650, ChronoUnit.DAYS)))
                .containsExactlyElementsOf(names.subList(0, 3));
    }
}
