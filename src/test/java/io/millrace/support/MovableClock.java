package io.millrace.support;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Clock that a test can advance: otherwise stopped, or running like the system clock. */
public final class MovableClock implements InstantSource {
    private final InstantSource base;
    private final AtomicReference<Duration> moved = new AtomicReference<>(Duration.ZERO);

    private MovableClock(InstantSource base) {
        this.base = base;
    }

    /** A stopped clock. */
    public MovableClock() {
        this(InstantSource.fixed(Instant.parse("2026-03-09T12:34:56.789Z")));
    }

    /** A running clock. */
    public static MovableClock going() {
        return new MovableClock(InstantSource.system());
    }

    @Override
    public Instant instant() {
        return base.instant().plus(moved.get());
    }

    public void advance(Duration duration) {
        moved.updateAndGet(before -> before.plus(duration));
    }
}
