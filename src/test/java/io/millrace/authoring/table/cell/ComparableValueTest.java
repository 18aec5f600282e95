package io.millrace.authoring.table.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversion of texts to numbers and instants for comparing filters (contract flows-and-engine 22.5). */
final class ComparableValueTest {
    @ParameterizedTest
    @CsvSource({"12, 12", "' 12.5 ', 12.5", "-0.5, -0.5", "+3, 3", ".5, 0.5", "5., 5", "1e3, 1000", "2.5E-1, 0.25"})
    void readsNumbers(String text, double number) {
        assertThat(ComparableValue.number(text)).contains(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "twelve", "1,5", "12 apples", "0x10", "NaN", "Infinity", "1e999", "1e99999", "--1", "."
            })
    void takesNothingElseForANumber(String text) {
        assertThat(ComparableValue.number(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-01, 2026-03-01T00:00:00Z",
        "2026-03-01T10:00, 2026-03-01T10:00:00Z",
        "2026-03-01 10:00:30, 2026-03-01T10:00:30Z",
        "2026-03-01T10:00:30.250, 2026-03-01T10:00:30.250Z",
        "2026-03-01T10:00:00Z, 2026-03-01T10:00:00Z",
        "2026-03-01T10:00:00+02:00, 2026-03-01T08:00:00Z",
    })
    void readsInstants(String text, Instant instant) {
        assertThat(ComparableValue.instant(text)).contains(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "today", "2026-13-01", "2026-02-30", "01.03.2026", "1767225600", "+12026-01-01T00:00:00Z"})
    void takesNothingElseForAnInstant(String text) {
        assertThat(ComparableValue.instant(text)).isEmpty();
    }
}
