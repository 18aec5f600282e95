package io.millrace.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when nothing at all could run here: a virtual machine that is paused, or a host without a processor to spare.
 * What is late by then is no finding about the server.
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

    /** True if the whole machine stalled at some time since then. */
    boolean stoodStillSince(long nanoTime) {
        return stillness.get() - nanoTime > 0;
    }
}
