package io.millrace.engine.trigger;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.cluster.Cluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires due sources. This node wakes at the earliest due time in the table, and polls at least every second, because
 * another node may have added sources. Nodes share the work: each source is claimed by one node.
 */
public final class TriggerVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerVerticle.class);

    /** Maximum number of concurrent hook calls on this node. */
    private static final int UNDER_WAY_MAX = 32;

    /**
     * Deadline of a database request. The database bounds every operation; a request given up too early could leave a claim
     * that no code releases until this node ends.
     */
    static final long ASK_DEADLINE_MS = 600_000;

    private static final long LOOK_AGAIN_MS = 1_000;
    private static final long RELEASE_AGAIN_MS = 2_000;
    private static final long TALLY_MS = 5_000;
    private static final long PURGE_MS = 3_600_000;
    private static final Duration HISTORY = Duration.ofDays(14);

    private final Parts parts;
    private final TriggerRound round;
    private final ClockCorrection correction;
    private long timer = -1;
    private boolean looking;
    private boolean lookAgain;
    private int underWay;
    private Promise<Void> drained;

    /**
     * Dependencies and limits.
     *
     * @param stopGrace time for triggers in progress when the server stops
     */
    public record Parts(
            Bus bus,
            TriggerPieces pieces,
            TriggerHooks hooks,
            TriggerCounts tally,
            TriggerRules rules,
            Duration stopGrace,
            TriggerMeters meters,
            InstantSource clock) {}

    public TriggerVerticle(Parts parts) {
        this.parts = parts;
        this.round = new TriggerRound(parts);
        this.correction = new ClockCorrection(parts.bus(), parts.pieces(), parts.clock());
    }

    @Override
    public Future<?> start() {
        parts.bus().on(Triggers.Rearmed.class, _ -> look());
        vertx.setPeriodic(TALLY_MS, _ -> saveTally());
        vertx.setPeriodic(PURGE_MS, _ -> purge());
        vertx.setPeriodic(PURGE_MS, _ -> correction.want());
        look();
        return Future.succeededFuture();
    }

    /** Waits for the rounds in progress; due sources that are not started are left to another node, or to the next start. */
    @Override
    public Future<?> stop() {
        drained = Promise.promise();
        vertx.cancelTimer(timer);
        if (underWay == 0) {
            drained.complete();
        } else {
            vertx.setTimer(parts.stopGrace().toMillis(), _ -> drained.tryComplete());
        }
        return drained.future().eventually(this::saveTally);
    }

    private void look() {
        if (drained != null) {
            return;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        vertx.cancelTimer(timer);
        correction.look();
        claim().onFailure(cause -> LOG.warn("cannot read due triggers, retrying: {}", cause.getMessage()))
                .compose(_ -> untilNext(), _ -> Future.succeededFuture(LOOK_AGAIN_MS))
                .otherwise(LOOK_AGAIN_MS)
                .onSuccess(waitMs -> {
                    looking = false;
                    if (lookAgain) {
                        lookAgain = false;
                        look();
                    } else if (drained == null) {
                        timer = vertx.setTimer(waitMs, _ -> look());
                    }
                });
    }

    private Future<Void> claim() {
        var room = UNDER_WAY_MAX - underWay;
        if (room <= 0) {
            return Future.succeededFuture();
        }
        return ask(new DueTriggers.Claim(room)).map(claimed -> {
            claimed.forEach(this::work);
            return null;
        });
    }

    private void work(TriggerSource source) {
        underWay++;
        round.work(source)
                .recover(cause -> {
                    if (cause instanceof TriggerRound.Busy) {
                        // It must not occupy the capacity for other sources.
                        release(source);
                        return Future.succeededFuture();
                    }
                    LOG.warn("the trigger of flow {} failed, retrying: {}", source.flowId(), cause.getMessage());
                    return release(source);
                })
                .onComplete(_ -> {
                    underWay--;
                    if (drained == null) {
                        look();
                    } else if (underWay == 0) {
                        drained.tryComplete();
                    }
                });
    }

    /** Releases a claim, with retries: while this node's lease is valid, no other node takes the claim over. */
    private Future<Void> release(TriggerSource source) {
        return vertx.timer(RELEASE_AGAIN_MS)
                .compose(_ -> round.end(source, source.nextDue()))
                .recover(cause -> drained == null ? release(source) : Future.failedFuture(cause));
    }

    private Future<Long> untilNext() {
        if (underWay >= UNDER_WAY_MAX) {
            return Future.succeededFuture(LOOK_AGAIN_MS);
        }
        return ask(new DueTriggers.FindEarliest())
                .map(due -> due.map(at -> parts.clock().instant().until(at, ChronoUnit.MILLIS))
                        .map(waitMs -> Math.clamp(waitMs, 1, LOOK_AGAIN_MS))
                        .orElse(LOOK_AGAIN_MS));
    }

    private Future<Void> saveTally() {
        var counts = parts.tally().take();
        return counts.isEmpty()
                ? Future.succeededFuture()
                : ask(new DueTriggers.AddCounts(counts))
                        .onFailure(cause -> {
                            LOG.warn("cannot save trigger counts, retrying: {}", cause.getMessage());
                            parts.tally().putBack(counts);
                        })
                        .mapEmpty();
    }

    private void purge() {
        ask(new Cluster.ClaimRound("triggers", Duration.ofMillis(PURGE_MS)))
                .compose(isMine -> isMine ? ask(new DueTriggers.Purge(HISTORY)) : Future.succeededFuture())
                .onFailure(
                        cause -> LOG.warn("cannot delete expired trigger records, retrying: {}", cause.getMessage()));
    }

    private <R> Future<R> ask(BusRequest<R> request) {
        return parts.bus().ask(request, ASK_DEADLINE_MS);
    }
}
