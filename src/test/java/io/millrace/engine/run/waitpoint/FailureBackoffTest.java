package io.millrace.engine.run.waitpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import io.millrace.support.RecordedLog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureBackoffTest {
    private final MovableClock clock = new MovableClock();
    private final FailureBackoff postponed = new FailureBackoff(clock);

    @Test
    void leavesWhatFailedAlone_longerEachTime() {
        // When, Then
        postponed.failed("bad");
        assertThat(postponed.ids()).containsExactly("bad");
        clock.advance(Duration.ofSeconds(2));
        assertThat(postponed.ids()).isEmpty();
        postponed.failed("bad");
        clock.advance(Duration.ofSeconds(3));
        assertThat(postponed.ids()).containsExactly("bad");
        clock.advance(Duration.ofSeconds(1));
        assertThat(postponed.ids()).isEmpty();
    }

    @Test
    void forgetsWhatSucceeds() {
        // Given
        postponed.failed("good");

        // When
        postponed.succeeded("good");

        // Then
        assertThat(postponed.ids()).isEmpty();
    }

    @Test
    void logsTheRun_notTheWaitpointThatAuthorizesACaller() {
        try (var log = RecordedLog.of(FailureBackoff.class.getName())) {
            // when
            postponed.each(
                    List.of("waitpoint"),
                    waitpoint -> waitpoint,
                    _ -> "run-1",
                    _ -> Future.failedFuture(new IllegalStateException("refused")));

            // then
            assertThat(log.lines()).containsExactly("WARN cannot resume run run-1 now, retrying: refused");
            assertThat(postponed.ids()).containsExactly("waitpoint");
        }
    }
}
