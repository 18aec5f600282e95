package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory is returned soon in idle times, and under load only when the heap has grown too much. */
class IdleGcTriggerTest {
    @ParameterizedTest
    @CsvSource({
        "40, 30, 1, false",
        "60, 30, 1, true",
        "60, 30, 0, false",
        "120, 30, 0, false",
        "130, 30, 0, true",
        "590, 300, 0, false",
        "610, 300, 0, true",
    })
    void collectsWhatHasGrown(long grownMegabytes, long livedMegabytes, int quietLooks, boolean due) {
        assertThat(isDue(grownMegabytes, livedMegabytes, 64, 0, quietLooks)).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({
        // A busy time has left a large heap, independent of the live objects at the last collection under load.
        "200, 0, 2, true",
        "200, 0, 1, false",
        "200, 0, 0, false",
        // A server that has just started.
        "70, 0, 2, false",
        // As many live objects as in the previous idle time: a second collection would gain nothing.
        "83, 50, 2, false",
        "83, 50, 100, false",
        "100, 50, 100, true",
        "500, 300, 2, false",
    })
    void givesBackInACalm(long committedMegabytes, long livedInCalmMegabytes, int quietLooks, boolean due) {
        assertThat(isDue(10, 120, committedMegabytes, livedInCalmMegabytes, quietLooks))
                .isEqualTo(due);
    }

    private static boolean isDue(
            long grownMegabytes,
            long livedMegabytes,
            long committedMegabytes,
            long livedInCalmMegabytes,
            int quietLooks) {
        return IdleGcTrigger.isDue(
                new IdleGcTrigger.OldGeneration(
                        grownMegabytes << 20,
                        livedMegabytes << 20,
                        committedMegabytes << 20,
                        livedInCalmMegabytes << 20),
                quietLooks);
    }
}
