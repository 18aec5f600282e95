package io.millrace.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NoBlockedThreadsTest {
    @Test
    void failsTheClass_whenTheCheckerHasWarned() {
        // Given
        Waiting.until(
                "nothing stood still lately", () -> NoBlockedThreads.warnings().wouldKeep());
        LoggerFactory.getLogger("io.vertx.core.impl.BlockedThreadChecker").warn("Thread one has been blocked for 2 s");

        // When, then
        assertThatThrownBy(() -> new NoBlockedThreads().afterAll(null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Thread one has been blocked");
        assertThat(NoBlockedThreads.warnings().take()).isEmpty();
    }

    @Test
    void bearsLongerBlocksOnASlowMachine() {
        var warning = "Thread Thread[#9,loop,5,main] has been blocked for 2500 ms, time limit is 2000 ms";

        assertThat(BlockedThreads.isTooLong(warning, 1)).isTrue();
        assertThat(BlockedThreads.isTooLong(warning, 1.25)).isTrue();
        assertThat(BlockedThreads.isTooLong(warning, 1.3)).isFalse();
        assertThat(BlockedThreads.isTooLong("Thread has been blocked", 10)).isTrue();
    }
}
