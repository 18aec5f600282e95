package io.millrace.sandbox.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sandbox.share.ProcessShares.Busy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessSharesTest {
    private static final ProcessShares SHARES = new ProcessShares(5, 21);

    @ParameterizedTest
    @CsvSource({
        // A single project has all usual processes, and no more.
        "0, 0, 0, true",
        "4, 4, 0, true",
        "5, 5, 0, false",
        "5, 5, 5, false",
        // A project without a process gets one beyond the usual number, up to the ceiling.
        "0, 5, 0, true",
        "0, 20, 0, true",
        "0, 21, 21, false",
        // A project with a process gets none while the foreground is full.
        "1, 6, 0, false",
        "1, 6, 1, false",
        "1, 6, 2, true",
        // Beyond the usual number, a project has fewer processes than are left, apart from the reserve of 8.
        "1, 11, 11, true",
        "1, 12, 12, false",
        "3, 9, 9, true",
        "4, 9, 9, false",
    })
    void decidesByWhatAProjectHas_andWhatIsLeft(int held, int all, int background, boolean may) {
        assertThat(SHARES.mayTake(held, new Busy(all, background))).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, true", "1, 1, false", "1, 2, true", "3, 2, false"})
    void endsAnIdleProcess_onlyForAProjectThatHasFewer(int held, int kept, boolean may) {
        assertThat(SHARES.mayEnd(held, kept)).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({"999, 999, true", "1000, 1000, false", "0, 1999, true", "1, 1999, false", "0, 2000, false"})
    void letsAProjectWait_whileItHasLessThanIsLeft(int ofProject, int all, boolean may) {
        assertThat(ProcessShares.mayWait(ofProject, all, 2_000)).isEqualTo(may);
    }

    @Test
    void ordersByProcesses_thenByTurns() {
        var none = new ProcessShares.Claim(0, 9);
        var longAgo = new ProcessShares.Claim(1, 3);
        var lately = new ProcessShares.Claim(1, 8);

        assertThat(java.util.stream.Stream.of(lately, none, longAgo).sorted(ProcessShares.Claim.ORDER))
                .containsExactly(none, longAgo, lately);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 4", "-1, 3"})
    void refusesImpossibleBounds(int usual, int ceiling) {
        assertThatThrownBy(() -> new ProcessShares(usual, ceiling)).isInstanceOf(IllegalArgumentException.class);
    }
}
