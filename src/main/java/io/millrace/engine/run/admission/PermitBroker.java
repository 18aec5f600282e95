package io.millrace.engine.run.admission;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.engine.run.admission.ConcurrencyLimiter.Usage;
import io.millrace.engine.run.admission.NodePermits.KeyPermits;
import io.millrace.engine.run.admission.PermitClaims.Claim;
import io.millrace.engine.run.admission.PermitClaims.Freed;
import io.millrace.engine.run.admission.PermitClaims.Keep;
import io.millrace.engine.run.admission.PermitClaims.PermitGrant;
import io.millrace.engine.run.admission.PermitClaims.Wanted;
import io.millrace.engine.run.machine.RunLife;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decisions of {@link PermitExchange}: when a node claims permits, and when it returns some. Each limit has at most one
 * claim or return in flight. All methods are called on one event loop; runs take and return permits on other threads
 * meanwhile.
 */
final class PermitBroker {
    private static final Logger LOG = LoggerFactory.getLogger(PermitBroker.class);

    private static final long AGAIN_MS = 100;

    /** Delay in milliseconds before returned permits are passed on while other nodes need them. */
    private static final long HAND_ON_MS = 25;

    private static final long HAND_ON_FOR_MS = 1_000;

    private final Surroundings surroundings;
    private final String nodeId;
    private final NodePermits permits;
    private final ConcurrencyLimiter limiter;
    private final Map<PermitKey, Entry> entries = new HashMap<>();
    private final Set<PermitKey> unused = new HashSet<>();
    private boolean stopped;

    /** Bus, timers and clock of the broker's event loop. */
    interface Surroundings {
        /** Fails only when it is certain that the request has no later effect. */
        <R> Future<R> ask(BusRequest<R> request);

        void publish(ClusterNotice notice);

        void after(long delayMs, Runnable action);

        long nanoTime();
    }

    private static final class Entry {
        private final KeyPermits grant;

        /** Permits of this node as recorded for the others; never less than its runs hold. */
        private int recorded;

        private int claimedLimit;

        private boolean busy;
        private boolean againSet;
        private Wanted handingOn;
        private long handOnUntil;

        private Entry(KeyPermits grant) {
            this.grant = grant;
        }
    }

    PermitBroker(Surroundings surroundings, String nodeId, NodePermits permits, ConcurrencyLimiter limiter) {
        this.surroundings = surroundings;
        this.nodeId = nodeId;
        this.permits = permits;
        this.limiter = limiter;
    }

    /** Ends the exchange: pending requests are left unchanged. */
    void stop() {
        stopped = true;
    }

    void freed(Freed freed) {
        var entry = entries.get(PermitKey.parse(freed.key()));
        if (entry != null && isShort(entry)) {
            claim(entry);
        }
    }

    void shortOf(KeyPermits grant) {
        var entry = entries.computeIfAbsent(grant.key(), _ -> new Entry(grant));
        if (!entry.againSet) {
            claim(entry);
        }
    }

    private Usage usage(Entry entry) {
        return limiter.usage(entry.grant.key());
    }

    private boolean isShort(Entry entry) {
        var usage = usage(entry);
        return usage.waiting() > 0
                && usage.held() >= permits.of(entry.grant.key(), entry.grant.limit())
                && usage.held() < entry.grant.limit();
    }

    /** True if the limit was lowered since the last claim: all nodes together may have more permits than it allows. */
    private static boolean isLowered(Entry entry) {
        return entry.grant.limit() < entry.claimedLimit;
    }

    private void claim(Entry entry) {
        if (entry.busy || stopped) {
            return;
        }
        var term = permits.term();
        if (term == RunLife.NO_TERM) {
            again(entry);
            return;
        }
        var grant = entry.grant;
        var limit = grant.limit();
        grant.capAt(limit);
        var usage = usage(entry);
        // Until the answer, runs here are admitted up to the old grant: all of it counts as held.
        var held = Math.max(usage.held(), permits.of(grant.key(), limit));
        entry.busy = true;
        var claimedBefore = entry.claimedLimit;
        entry.claimedLimit = limit;
        surroundings
                .ask(new Claim(grant.key(), limit, held, Math.min(limit, usage.held() + usage.waiting())))
                .onSuccess(granted -> {
                    entry.recorded = granted.permits();
                    grant.permits(granted.permits(), term);
                    entry.busy = false;
                    giveUp(entry, granted);
                    limiter.sharesChanged(grant.key());
                    tellOthers(entry, limit, granted);
                    if (isLowered(entry)) {
                        again(entry);
                    }
                })
                .onFailure(cause -> {
                    LOG.warn(
                            "cannot claim permits of {}, retrying: {}",
                            grant.key().text(),
                            cause.getMessage());
                    entry.busy = false;
                    entry.claimedLimit = Math.max(claimedBefore, limit);
                    again(entry);
                });
    }

    /** Returns the permits beyond this node's part of a lowered limit, as its runs end. */
    private void giveUp(Entry entry, PermitGrant granted) {
        if (granted.surplus() > 0) {
            var part = Math.max(granted.fair(), granted.permits() - granted.surplus());
            entry.grant.capAt(part);
            handOnFor(entry, new Wanted(entry.grant.key().text(), nodeId, part, true));
        }
    }

    private void tellOthers(Entry entry, int limit, PermitGrant granted) {
        if (granted.permits() < limit && isShort(entry)) {
            var owed = granted.permits() < Math.max(1, granted.fair());
            surroundings.publish(new Wanted(entry.grant.key().text(), nodeId, granted.fair(), owed));
            again(entry);
        }
    }

    private void again(Entry entry) {
        if (!entry.againSet && !stopped) {
            entry.againSet = true;
            surroundings.after(AGAIN_MS, () -> {
                entry.againSet = false;
                if (isShort(entry) || isLowered(entry)) {
                    claim(entry);
                }
            });
        }
    }

    void wanted(Wanted wanted) {
        var entry = entries.get(PermitKey.parse(wanted.key()));
        if (entry != null && !wanted.nodeId().equals(nodeId)) {
            handOnFor(entry, wanted);
        }
    }

    private void handOnFor(Entry entry, Wanted wanted) {
        var begins = entry.handingOn == null;
        entry.handingOn = wanted;
        entry.handOnUntil = surroundings.nanoTime() + HAND_ON_FOR_MS * 1_000_000;
        if (begins) {
            handOn(entry);
        }
    }

    /** Passes permits on while others are short; permits of runs that end meanwhile are left to them. */
    private void handOn(Entry entry) {
        if (stopped || surroundings.nanoTime() - entry.handOnUntil > 0) {
            entry.handingOn = null;
            return;
        }
        if (!entry.busy) {
            giveBack(entry, entry.handingOn);
        }
        surroundings.after(HAND_ON_MS, () -> handOn(entry));
    }

    /** Permits above the cap are not held: runs admitted before the cap is set are counted after it. */
    private void giveBack(Entry entry, Wanted wanted) {
        var grant = entry.grant;
        var usage = usage(entry);
        if (usage.waiting() == 0) {
            grant.capAt(usage.held());
        } else if (wanted.owed()) {
            grant.capAt(wanted.fair());
        }
        keep(entry, Math.max(grant.permits(), usage(entry).held()));
    }

    private void keep(Entry entry, int count) {
        if (count >= entry.recorded) {
            return;
        }
        entry.busy = true;
        surroundings.ask(new Keep(entry.grant.key(), count)).onComplete(kept -> {
            entry.busy = false;
            if (kept.succeeded()) {
                entry.recorded = count;
                surroundings.publish(new Freed(entry.grant.key().text()));
            }
            if (isShort(entry) || isLowered(entry)) {
                again(entry);
            }
        });
    }

    void round() {
        for (var entry : List.copyOf(entries.values())) {
            var grant = entry.grant;
            if (grant.wasUsed() || usage(entry).isAny()) {
                unused.remove(grant.key());
            } else if (!entry.busy && !unused.add(grant.key())) {
                grant.capAt(0);
                keep(entry, usage(entry).held());
            }
        }
    }
}
