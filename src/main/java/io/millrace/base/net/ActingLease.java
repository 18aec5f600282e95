package io.millrace.base.net;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lease of this server as its processes see it, which may keep connections from one request to the next.
 *
 * @param fences permission of an exchange that begins now
 * @param endNanos reading of {@link System#nanoTime} at which the lease ends unless it is renewed; processes of this host
 *     read the same clock
 */
public record ActingLease(Supplier<Fence> fences, LongSupplier endNanos) {
    private static final Duration UNLIMITED = Duration.ofHours(1);

    /** Lease of a server whose work no other node can take over. */
    public static final ActingLease OPEN = of(() -> Fence.OPEN);

    public static ActingLease of(Supplier<Fence> fences) {
        return new ActingLease(fences, () -> System.nanoTime() + UNLIMITED.toNanos());
    }
}
