package io.millrace.engine.run.ending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Retries of runs that ended with an internal error (contract flows-and-engine 16.4). */
class InternalErrorRetryTest {
    @Test
    void triesARunThreeTimes_withGrowingPauses() {
        // Given
        var runs = new InternalErrorRetry();

        // Then
        assertThat(runs.broke("a")).isEqualTo(OptionalLong.of(2_000));
        assertThat(runs.broke("a")).isEqualTo(OptionalLong.of(8_000));
        assertThat(runs.broke("b")).isEqualTo(OptionalLong.of(2_000));
        assertThat(runs.broke("a")).isEqualTo(OptionalLong.of(32_000));
        assertThat(runs.broke("a")).isEmpty();
    }

    @Test
    void beginsToCountAnew_whenTheRunHasEndedInAnotherWay() {
        // Given
        var runs = new InternalErrorRetry();
        runs.broke("a");

        // When
        runs.mended("a");

        // Then
        assertThat(runs.broke("a")).isEqualTo(OptionalLong.of(2_000));
    }
}
