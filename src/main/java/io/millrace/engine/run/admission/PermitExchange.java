package io.millrace.engine.run.admission;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.admission.ConcurrencyLimiter.Usage;
import io.millrace.engine.run.admission.NodePermits.KeyPermits;
import io.millrace.engine.run.admission.PermitClaims.Claim;
import io.millrace.engine.run.admission.PermitClaims.Freed;
import io.millrace.engine.run.admission.PermitClaims.Granted;
import io.millrace.engine.run.admission.PermitClaims.Keep;
import io.millrace.engine.run.admission.PermitClaims.Wanted;
import io.millrace.engine.run.machine.RunLife;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims permits for the runs of this node, and gives back what others want and runs here do not hold (decision 0208).
 * Of each limit one claim or gift is under way at a time. A notice that is lost costs what passes until the next claim.
 */
public final class PermitExchange extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(PermitExchange.class);

    private static final long DEADLINE_MS = 10_000;
    private static final long AGAIN_MS = 100;

    /** While others want permits, those that runs give back are handed on after so long. */
    private static final long HAND_ON_MS = 25;

    private static final long HAND_ON_FOR_MS = 1_000;
    private static final long ROUND_MS = 10_000;

    private final Bus bus;
    private final String nodeId;
    private final NodePermits permits;
    private final ConcurrencyLimiter limiter;
    private final Map<PermitKey, Entry> entries = new HashMap<>();
    private final Set<PermitKey> unused = new HashSet<>();
    private Context eventLoop;
    private boolean stopped;

    /** What is under way for one limit. */
    private static final class Entry {
        private final KeyPermits grant;

        /** What others take this node to have; never less than its runs hold. */
        private int recorded;

        private boolean busy;
        private boolean againSet;
        private Wanted handingOn;
        private long handOnUntil;

        private Entry(KeyPermits grant) {
            this.grant = grant;
        }
    }

    public PermitExchange(Bus bus, String nodeId, NodePermits permits, ConcurrencyLimiter limiter) {
        this.bus = bus;
        this.nodeId = nodeId;
        this.permits = permits;
        this.limiter = limiter;
    }

    @Override
    public Future<?> start() {
        eventLoop = vertx.getOrCreateContext();
        bus.on(Wanted.class, this::wanted);
        bus.on(Freed.class, freed -> {
            var entry = entries.get(PermitKey.parse(freed.key()));
            if (entry != null && isShort(entry)) {
                claim(entry);
            }
        });
        permits.onShortage(grant -> eventLoop.runOnContext(_ -> shortOf(grant)));
        vertx.setPeriodic(ROUND_MS, _ -> round());
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }

    private void shortOf(KeyPermits grant) {
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

    private void claim(Entry entry) {
        if (entry.busy || stopped) {
            return;
        }
        var term = permits.term();
        if (term == RunLife.NO_TERM) {
            again(entry);
            return;
        }
        var usage = usage(entry);
        var grant = entry.grant;
        var limit = grant.limit();
        entry.busy = true;
        bus.ask(
                        new Claim(grant.key(), limit, usage.held(), Math.min(limit, usage.held() + usage.waiting())),
                        DEADLINE_MS)
                .onSuccess(granted -> {
                    entry.recorded = granted.permits();
                    grant.permits(granted.permits(), term);
                    entry.busy = false;
                    limiter.sharesChanged(grant.key());
                    tellOthers(entry, limit, granted);
                })
                .onFailure(cause -> {
                    LOG.warn("permits of {} are claimed later: {}", grant.key().text(), cause.getMessage());
                    entry.busy = false;
                    again(entry);
                });
    }

    private void tellOthers(Entry entry, int limit, Granted granted) {
        if (granted.permits() < limit && isShort(entry)) {
            var owed = granted.permits() < Math.max(1, granted.fair());
            bus.publish(new Wanted(entry.grant.key().text(), nodeId, granted.fair(), owed));
            again(entry);
        }
    }

    private void again(Entry entry) {
        if (!entry.againSet && !stopped) {
            entry.againSet = true;
            vertx.setTimer(AGAIN_MS, _ -> {
                entry.againSet = false;
                if (isShort(entry)) {
                    claim(entry);
                }
            });
        }
    }

    private void wanted(Wanted wanted) {
        var entry = entries.get(PermitKey.parse(wanted.key()));
        if (entry != null && !wanted.nodeId().equals(nodeId)) {
            var begins = entry.handingOn == null;
            entry.handingOn = wanted;
            entry.handOnUntil = System.nanoTime() + HAND_ON_FOR_MS * 1_000_000;
            if (begins) {
                handOn(entry);
            }
        }
    }

    /** As long as others are short; runs that end meanwhile leave their permits to them. */
    private void handOn(Entry entry) {
        if (stopped || System.nanoTime() - entry.handOnUntil > 0) {
            entry.handingOn = null;
            return;
        }
        if (!entry.busy) {
            giveBack(entry, entry.handingOn);
        }
        vertx.setTimer(HAND_ON_MS, _ -> handOn(entry));
    }

    /** What the cap shuts out is not held: who is admitted before it is set is counted after. */
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
        bus.ask(new Keep(entry.grant.key(), count), DEADLINE_MS).onComplete(kept -> {
            entry.busy = false;
            if (kept.succeeded()) {
                entry.recorded = count;
                bus.publish(new Freed(entry.grant.key().text()));
            }
            if (isShort(entry)) {
                again(entry);
            }
        });
    }

    /** Permits that nobody asked for in a while are left to others. */
    private void round() {
        for (var entry : List.copyOf(entries.values())) {
            var grant = entry.grant;
            if (grant.wasUsed() || usage(entry).isAny()) {
                unused.remove(grant.key());
            } else if (!entry.busy && !unused.add(grant.key())) {
                grant.capAt(0);
                keep(entry, usage(entry).held());
            }
        }
        bus.ask(new PermitClaims.Purge(), DEADLINE_MS)
                .onFailure(cause -> LOG.warn("old permits are forgotten later: {}", cause.getMessage()));
    }
}
