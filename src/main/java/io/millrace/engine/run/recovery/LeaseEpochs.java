package io.millrace.engine.run.recovery;

import io.millrace.engine.run.machine.RunLife;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How this node's lease looks from here. A term lasts as long as the lease is renewed in time; between two epochs, which a
 * process sees that stood still, other nodes may have taken its runs over. Safe for threads.
 */
public final class LeaseEpochs {
    /** A node that has not renewed its lease for so long is taken for dead, by the database's clock. */
    static final Duration LEASE = Duration.ofSeconds(12);

    /** The same of a node whose process or connection is known to be gone, and how long a node among others acts on it. */
    static final Duration SILENCE = Duration.ofMillis(3_500);

    /** Instead of a term, while the lease may have run out. */
    static final long NONE = RunLife.NO_TERM;

    private final LongSupplier nanoTime;
    private final long lastsNanos;
    private long renewedAt;
    private long term;

    /** @param onlyNode whether nobody else takes runs over, so that a renewal may be late */
    public LeaseEpochs(boolean onlyNode) {
        this(onlyNode ? LEASE : SILENCE, System::nanoTime);
    }

    /**
     * @param lasts how long a renewal gives a node the right to act
     * @param nanoTime clock that goes on while the process stands still
     */
    LeaseEpochs(Duration lasts, LongSupplier nanoTime) {
        this.lastsNanos = lasts.toNanos();
        this.nanoTime = nanoTime;
        this.renewedAt = nanoTime.getAsLong();
    }

    /** The time, to be noted before the database is asked. */
    long now() {
        return nanoTime.getAsLong();
    }

    /** The lease was renewed, some time after {@code askedAt}. Answers whether it may have been over by then. */
    synchronized boolean renewed(long askedAt) {
        var wasOver = isOver();
        if (wasOver) {
            term++;
        }
        renewedAt = askedAt;
        return wasOver;
    }

    /** The term of this moment, or {@link #NONE}. */
    public synchronized long term() {
        return isOver() ? NONE : term;
    }

    private boolean isOver() {
        return nanoTime.getAsLong() - renewedAt >= lastsNanos;
    }
}
