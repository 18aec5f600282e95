package io.millrace.engine.run;

import java.util.HashSet;
import java.util.Set;

/**
 * Timers of one run. The deadline is armed only when the run leaves the event loop to wait: most runs end before that.
 */
public final class RunTimers {
    private static final long NONE = -1;
    private static final long NANOS_PER_MS = 1_000_000;

    /** Longest wait of a run, in milliseconds, before it appears in the list of runs. */
    private static final long UNSEEN_MS_MAX = 100;

    private final Clockwork clockwork;
    private final long flowTimeoutMs;
    private final Runnable onDeadline;
    private final Set<Long> running = new HashSet<>(4);
    private long deadlineNanos;
    private boolean deadlineWanted;
    private long deadlineTimer = NONE;
    private boolean unseenWatched;

    /** Timer facility of the run's event loop. */
    public interface Clockwork {
        long setTimer(long delayMs, Runnable action);

        void cancelTimer(long timer);
    }

    public RunTimers(Clockwork clockwork, long flowTimeoutMs, Runnable onDeadline) {
        this.clockwork = clockwork;
        this.flowTimeoutMs = flowTimeoutMs;
        this.onDeadline = onDeadline;
    }

    public void startDeadline() {
        deadlineNanos = System.nanoTime() + flowTimeoutMs * NANOS_PER_MS;
        deadlineWanted = true;
    }

    public void watchDeadline() {
        if (deadlineWanted && deadlineTimer == NONE) {
            deadlineTimer = clockwork.setTimer(Math.max(1, remainingMs()), onDeadline);
        }
    }

    /**
     * Runs an action once the run has waited for {@code UNSEEN_MS_MAX} without a row; only the first call has an
     * effect.
     */
    public void watchUnseen(Runnable action) {
        if (!unseenWatched) {
            unseenWatched = true;
            start(UNSEEN_MS_MAX, action);
        }
    }

    public long remainingMs() {
        return Math.max(0, (deadlineNanos - System.nanoTime()) / NANOS_PER_MS);
    }

    /** Schedules an action, unless the run ends before; returns the timer's id. */
    public long start(long delayMs, Runnable action) {
        var id = new long[1];
        id[0] = clockwork.setTimer(Math.max(1, delayMs), () -> {
            running.remove(id[0]);
            action.run();
        });
        running.add(id[0]);
        return id[0];
    }

    public void cancel(long timer) {
        if (running.remove(timer)) {
            clockwork.cancelTimer(timer);
        }
    }

    public void stop() {
        deadlineWanted = false;
        if (deadlineTimer != NONE) {
            clockwork.cancelTimer(deadlineTimer);
            deadlineTimer = NONE;
        }
        running.forEach(clockwork::cancelTimer);
        running.clear();
    }
}
