package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When memory is given back: soon in quiet times, under load only before it gets out of hand. */
class IdleGcTriggerTest {
    @ParameterizedTest
    @CsvSource({
        "40, 30, 0.01, false",
        "60, 30, 0.01, true",
        "60, 30, 0.50, false",
        "120, 30, 0.50, false",
        "130, 30, 0.50, true",
        "590, 300, 0.50, false",
        "610, 300, 0.50, true",
    })
    void collects(long grownMegabytes, long livedMegabytes, double load, boolean due) {
        assertThat(IdleGcTrigger.isDue(grownMegabytes << 20, livedMegabytes << 20, load))
                .isEqualTo(due);
    }
}
