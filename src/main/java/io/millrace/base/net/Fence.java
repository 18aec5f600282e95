package io.millrace.base.net;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Permission of one unit of work to send outbound requests. It is checked when the connection is open, directly before the
 * first byte of a request is written, and again for each redirect, address and message of a conversation: a process that was
 * stopped in between may have lost its work to another node. Thread-safe.
 */
@FunctionalInterface
public interface Fence {
    /** Permission of work that no other node can take over. */
    Fence OPEN = () -> true;

    boolean isHeld();

    /**
     * Permission of work that is claimed for a period, which begins now.
     *
     * @param nanoTime clock that continues while the process is stopped
     */
    static Fence lasting(Duration period, LongSupplier nanoTime) {
        var begun = nanoTime.getAsLong();
        return () -> nanoTime.getAsLong() - begun < period.toNanos();
    }

    /** Permission that ends with either of two. Both are checked each time: a fence may record its refusal. */
    default Fence and(Fence other) {
        return () -> {
            var first = isHeld();
            var second = other.isHeld();
            return first && second;
        };
    }
}
