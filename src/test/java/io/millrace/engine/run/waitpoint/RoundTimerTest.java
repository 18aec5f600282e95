package io.millrace.engine.run.waitpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.RunTimers;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the next round begins: at the earliest moment that was wanted, however much of the wait is over. */
class RoundTimerTest {
    private long nowMs;
    private long numbers;
    private int rounds;

    /** When timers are due that are set, by their numbers. */
    private final Map<Long, Long> due = new TreeMap<>();

    private final RoundTimer timer = new RoundTimer(
            new RunTimers.Clockwork() {
                @Override
                public long setTimer(long delayMs, Runnable action) {
                    due.put(++numbers, nowMs + delayMs);
                    return numbers;
                }

                @Override
                public void cancelTimer(long number) {
                    due.remove(number);
                }
            },
            () -> TimeUnit.MILLISECONDS.toNanos(nowMs),
            () -> rounds++);

    @Test
    void ringsEarlier_whenThatIsWanted() {
        // Given
        timer.ringIn(2_000);

        // When
        nowMs = 500;
        timer.ringWithin(300);

        // Then
        assertThat(due.values()).containsExactly(800L);
    }

    @Test
    void ringsNoLater_whenAWaitHasBegunThatIsLongerThanWhatIsLeft() {
        // Given
        timer.ringIn(2_000);

        // When: less is wanted than the whole wait, and more than is left of it
        nowMs = 1_900;
        timer.ringWithin(1_000);

        // Then
        assertThat(due.values()).containsExactly(2_000L);
    }

    @Test
    void ringsNoMore_whenItIsStopped() {
        // Given
        timer.ringIn(2_000);
        timer.ringWithin(10);

        // When
        timer.stop();

        // Then
        assertThat(due).isEmpty();
        assertThat(rounds).isZero();
    }
}
