package io.millrace.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects stalls of the whole machine: a paused virtual machine, or a host without a free processor. A delay during a
 * stall says nothing about the server.
 */
final class Pulse {
    private static final long BEAT_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LATE_NANOS = Duration.ofMillis(800).toNanos();

    private final AtomicLong stillness =
            new AtomicLong(System.nanoTime() - Duration.ofDays(1).toNanos());

    Pulse() {
        Thread.ofPlatform().daemon().name("pulse").start(this::beat);
    }

    private void beat() {
        var before = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BEAT_NANOS);
            var now = System.nanoTime();
            if (now - before > LATE_NANOS) {
                stillness.set(now);
            }
            before = now;
        }
    }

    /** True if the whole machine has stalled since this time. */
    boolean stoodStillSince(long nanoTime) {
        return stillness.get() - nanoTime > 0;
    }
}
