package io.millrace.engine.run.waitpoint;

import io.millrace.engine.run.RunTimers;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Fires once for each round, at the earliest of the requested times. Not thread-safe: confined to one event loop. */
final class RoundTimer {
    private final RunTimers.Clockwork clockwork;
    private final LongSupplier nanoTime;
    private final Runnable round;
    private long timer;
    private long ringsAtNanos;

    /** @param nanoTime monotonic clock */
    RoundTimer(RunTimers.Clockwork clockwork, LongSupplier nanoTime, Runnable round) {
        this.clockwork = clockwork;
        this.nanoTime = nanoTime;
        this.round = round;
    }

    /** Called while the timer is not set. */
    void ringIn(long delayMs) {
        ringsAtNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(delayMs);
        timer = clockwork.setTimer(delayMs, round);
    }

    /** Called while the timer is set. */
    void ringWithin(long delayMs) {
        if (nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(delayMs) - ringsAtNanos < 0) {
            stop();
            ringIn(delayMs);
        }
    }

    void stop() {
        clockwork.cancelTimer(timer);
    }
}
