package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Error of a start with too low a process limit: it names the limit, the number needed, and the remedy. */
final class ProcessLimitTest {
    private static final Optional<Long> NONE = Optional.empty();

    @Test
    void namesTheRemedy_whenNoThreadCanBeStarted() {
        var failure =
                new IllegalStateException("the start failed", new OutOfMemoryError("unable to create native thread"));

        assertThat(ProcessLimit.explained(failure, Optional.of(128L), NONE))
                .startsWith("the start failed\n")
                .contains("it allows 128 to its user (ulimit -u).", "needs 100, and 300", "raise the limit");
    }

    @Test
    void namesTheRemedy_whenTheLimitIsTooSmallForADatabase() {
        var failure = new IllegalStateException("The connection attempt failed");

        assertThat(ProcessLimit.explained(failure, NONE, Optional.of(45L)))
                .contains("it allows 45 to its control group (pids.max).");
    }

    @Test
    void isEmpty_whenTheCauseIsNotTheProcessLimit() {
        var failure = new IllegalStateException("AP_PORT: cannot listen");

        assertThat(ProcessLimit.explained(failure, Optional.of(4_096L), NONE)).isEqualTo("AP_PORT: cannot listen");
    }

    @Test
    void isBehindADatabaseThatCannotFork() {
        var log = "could not fork \"startup\" process: Resource temporarily unavailable";

        assertThat(ProcessLimit.isBehind(new IllegalStateException("PostgreSQL ended while starting: " + log)))
                .isTrue();
        assertThat(ProcessLimit.isBehind(new IllegalStateException("the database is of another version")))
                .isFalse();
    }

    @Test
    void readsTheLimits() {
        var limits = List.of(
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max processes             45                   4096                 processes ",
                "Max open files            1024                 4096                 files     ");

        assertThat(ProcessLimit.ofUser(limits)).hasValue(45L);
        assertThat(ProcessLimit.ofUser(List.of("Max processes             unlimited            unlimited  processes")))
                .isEmpty();
        assertThat(ProcessLimit.ofGroup(List.of("512"))).hasValue(512L);
        assertThat(ProcessLimit.ofGroup(List.of("max"))).isEmpty();
    }
}
