package io.millrace.engine.run.recovery;

import io.millrace.base.net.ActingLease;
import io.millrace.base.net.Fence;
import io.millrace.engine.run.machine.RunLife;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * View of this node's lease. A term lasts as long as the lease is renewed in time; between two terms, which a suspended
 * process detects on return, other nodes may have taken its runs over. Thread-safe.
 *
 * <p>The monotonic clock stops while a virtual machine is suspended: the fence refuses its writes afterwards, but an
 * outside call in its first moments can happen twice ({@code limits.md}).
 */
public final class LeaseEpochs {
    /** Time without a renewal after which a node counts as dead, by the database's clock. */
    static final Duration LEASE = Duration.ofSeconds(12);

    /**
     * Time without a renewal after which a node with an ended process or connection loses its runs; also how long a
     * node in a cluster acts on a renewal.
     */
    static final Duration SILENCE = Duration.ofMillis(3_500);

    /** Value instead of a term, while the lease may have expired. */
    static final long NONE = RunLife.NO_TERM;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMs;
    private final Duration lasts;
    private Moment renewedAt;
    private long term;

    /** @param onlyNode whether no other node takes over runs, so that a renewal may be late */
    public LeaseEpochs(boolean onlyNode) {
        this(onlyNode ? LEASE : SILENCE, System::nanoTime, System::currentTimeMillis);
    }

    /**
     * @param lasts duration of the right to act after a renewal
     * @param nanoTime clock that continues while the process is stopped, but not while the machine is suspended
     * @param wallMs clock that is corrected after the machine was suspended; while it runs backwards, the other one
     *     counts
     */
    LeaseEpochs(Duration lasts, LongSupplier nanoTime, LongSupplier wallMs) {
        this.lasts = lasts;
        this.nanoTime = nanoTime;
        this.wallMs = wallMs;
        this.renewedAt = now();
    }

    record Moment(long nanos, long wallMs) {}

    /** The current time, to be read before the request to the database. */
    final Moment now() {
        return new Moment(nanoTime.getAsLong(), wallMs.getAsLong());
    }

    /** The lease was renewed, some time after {@code askedAt}. Returns whether it may have expired by then. */
    synchronized boolean renewed(Moment askedAt) {
        var wasOver = isOver();
        if (wasOver) {
            term++;
        }
        renewedAt = askedAt;
        return wasOver;
    }

    public synchronized long term() {
        return isOver() ? NONE : term;
    }

    /** Permission to send for work whose ownership was verified in the present term: it ends with the term. */
    public Fence fence() {
        var begun = term();
        return () -> begun != NONE && term() == begun;
    }

    /**
     * Fence for the server's own exchanges: it ends with the term in which the exchange begins. An exchange that begins
     * without a term, while the database is unavailable, is permitted.
     */
    public Fence exchangeFence() {
        var begun = term();
        return () -> begun == NONE || term() == begun;
    }

    public ActingLease acting() {
        return new ActingLease(this::exchangeFence, this::endNanos);
    }

    private synchronized long endNanos() {
        return renewedAt.nanos() + lasts.toNanos();
    }

    /** A clock that is set forward ends a term without need; while one is set back, the other decides. */
    private boolean isOver() {
        return nanoTime.getAsLong() - renewedAt.nanos() >= lasts.toNanos()
                || wallMs.getAsLong() - renewedAt.wallMs() >= lasts.toMillis();
    }
}
