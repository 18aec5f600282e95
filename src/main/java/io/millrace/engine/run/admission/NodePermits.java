package io.millrace.engine.run.admission;

import io.millrace.engine.run.machine.RunLife;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The permits granted to this node, by limit. They are valid in the term of the lease in which they were granted: in
 * another one, other nodes may have them. {@link PermitExchange} requests more.
 */
public final class NodePermits implements PermitShares {
    private final LongSupplier term;
    private final Map<PermitKey, KeyPermits> grants = new ConcurrentHashMap<>();
    private volatile Consumer<KeyPermits> shortage = _ -> {};

    /** @param term current term of this node's lease, or {@link RunLife#NO_TERM} */
    public NodePermits(LongSupplier term) {
        this.term = term;
    }

    /** The permits of one key. Any thread reads; only the exchange changes it. */
    static final class KeyPermits {
        private final PermitKey key;
        private volatile int limit;
        private volatile int permits;
        private volatile long term = RunLife.NO_TERM;

        /** Written by requesters and read now and then: a lost update does no harm. */
        private boolean used = true;

        private KeyPermits(PermitKey key) {
            this.key = key;
        }

        PermitKey key() {
            return key;
        }

        int limit() {
            return limit;
        }

        int permits() {
            return permits;
        }

        void permits(int count, long inTerm) {
            permits = count;
            term = inTerm;
        }

        void capAt(int count) {
            permits = Math.min(permits, count);
        }

        boolean wasUsed() {
            var before = used;
            used = false;
            return before;
        }
    }

    @Override
    public int of(PermitKey key, int limit) {
        var grant = grants.get(key);
        if (grant == null || grant.term != term.getAsLong() || grant.term == RunLife.NO_TERM) {
            return 0;
        }
        grant.used = true;
        if (limit < grant.limit) {
            // The grants of all nodes together may exceed the lowered limit: they are claimed again.
            shortOf(key, limit);
        }
        return Math.min(grant.permits, limit);
    }

    @Override
    public void shortOf(PermitKey key, int limit) {
        var grant = grants.computeIfAbsent(key, KeyPermits::new);
        grant.limit = limit;
        shortage.accept(grant);
    }

    /** Registers a listener, called on any thread, for runs without a permit here. */
    void onShortage(Consumer<KeyPermits> told) {
        shortage = told;
    }

    long term() {
        return term.getAsLong();
    }
}
