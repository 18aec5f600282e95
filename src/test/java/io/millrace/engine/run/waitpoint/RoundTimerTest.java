package io.millrace.engine.run.waitpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.RunTimers;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Begin of the next round: at the earliest requested time, regardless of the elapsed part of the wait. */
class RoundTimerTest {
    private long nowMs;
    private long numbers;
    private int rounds;

    /** Due times of the set timers, by their numbers. */
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
        // given
        timer.ringIn(2_000);

        // when
        nowMs = 500;
        timer.ringWithin(300);

        // then
        assertThat(due.values()).containsExactly(800L);
    }

    @Test
    void firesNoLater_whenALongerWaitHasBegun() {
        // given
        timer.ringIn(2_000);

        // when a shorter wait is requested, which ends after the remaining one
        nowMs = 1_900;
        timer.ringWithin(1_000);

        // then
        assertThat(due.values()).containsExactly(2_000L);
    }

    @Test
    void ringsNoMore_whenItIsStopped() {
        // given
        timer.ringIn(2_000);
        timer.ringWithin(10);

        // when
        timer.stop();

        // then
        assertThat(due).isEmpty();
        assertThat(rounds).isZero();
    }
}
