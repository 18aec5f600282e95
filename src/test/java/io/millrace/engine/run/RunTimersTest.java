package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTimersTest {
    private final HandTimers hand = new HandTimers();
    private final List<String> happened = new ArrayList<>();
    private final RunTimers timers = new RunTimers(hand, 60_000, () -> happened.add("deadline"));

    @Test
    void armsNoDeadline_untilTheRunWaits() {
        // When
        timers.startDeadline();

        // Then
        assertThat(hand.waiting).isEmpty();
        assertThat(timers.remainingMs()).isBetween(1L, 60_000L);
    }

    @Test
    void armsTheDeadlineOnce() {
        // Given
        timers.startDeadline();

        // When
        timers.watchDeadline();
        timers.watchDeadline();
        hand.ringAll();

        // Then
        assertThat(happened).containsExactly("deadline");
    }

    @Test
    void watchesNothing_whenNoDeadlineWasStarted() {
        // When
        timers.watchDeadline();

        // Then
        assertThat(hand.waiting).isEmpty();
    }

    @Test
    void ringsOnce_andNotAfterBeingCancelled() {
        // Given
        timers.start(10, () -> happened.add("kept"));
        var cancelled = timers.start(10, () -> happened.add("cancelled"));

        // When
        timers.cancel(cancelled);
        hand.ringAll();
        hand.ringAll();

        // Then
        assertThat(happened).containsExactly("kept");
    }

    @Test
    void leavesNoTimer_whenStopped() {
        // Given
        timers.startDeadline();
        timers.watchDeadline();
        timers.start(10, () -> happened.add("late"));

        // When
        timers.stop();
        timers.watchDeadline();

        // Then
        assertThat(hand.waiting).isEmpty();
    }

    /** Timers that fire when the test advances them. */
    private static final class HandTimers implements RunTimers.Clockwork {
        private final Map<Long, Runnable> waiting = new LinkedHashMap<>();
        private long last;

        @Override
        public long setTimer(long delayMs, Runnable action) {
            waiting.put(++last, action);
            return last;
        }

        @Override
        public void cancelTimer(long timer) {
            waiting.remove(timer);
        }

        private void ringAll() {
            var ringing = List.copyOf(waiting.values());
            waiting.clear();
            ringing.forEach(Runnable::run);
        }
    }
}
