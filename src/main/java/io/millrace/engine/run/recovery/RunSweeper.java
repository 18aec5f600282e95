package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.admission.ConcurrencyLimiter;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that every live run has a live owner: counts the crashes of servers against the runs that were executing,
 * takes over runs whose owner has no lease, up to the free capacity, and passes them to the shards.
 */
public final class RunSweeper extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RunSweeper.class);

    private static final long ASK_DEADLINE_MS = 60_000;
    private static final long ROUND_MS = 4_000;
    private static final long ROUNDS_PER_LOOK_FOR_LOST = 5;

    private static final long GONE_LOOK_MS = 700;

    private static final int OWNED_LOOKED_AT_ONCE = 10_000;

    private final Bus bus;
    private final RunShards shards;
    private final TakeoverLimits limits;
    private final ConcurrencyLimiter permits;
    private final boolean onlyNode;
    private final int haste;
    private Set<String> knownNodes = Set.of();
    private long rounds;
    private SuspectTrial trial = SuspectTrial.FIRST;
    private boolean stopped;
    private boolean claiming;
    private boolean claimAgain;
    private boolean hasMore;
    private boolean accepting;

    /**
     * @param permits queues that show the projects with enough runs here
     * @param onlyNode true if no other node can use the database, so that no end of a node has to be detected
     * @param haste divisor of the period of sweeps, and of the control period and the trials of suspects; 1 in production
     */
    public RunSweeper(
            Bus bus, RunShards shards, TakeoverLimits limits, ConcurrencyLimiter permits, boolean onlyNode, int haste) {
        this.bus = bus;
        this.shards = shards;
        this.limits = limits;
        this.permits = permits;
        this.onlyNode = onlyNode;
        this.haste = haste;
    }

    @Override
    public Future<?> start() {
        return holdSuspectsBack().onSuccess(_ -> {
            bus.on(Runs.TakenIn.class, _ -> claimNow());
            bus.on(Runs.TakeoversWanted.class, _ -> claimMore());
            bus.on(Runs.IntakeOpened.class, _ -> letSuspectsGo());
            permits.onLineShort(() -> bus.publish(new Runs.TakeoversWanted()));
            round();
            if (!onlyNode) {
                lookForGone();
            }
        });
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }

    /**
     * Holds suspects back until this node accepts requests, and for a control period then. The last end is counted
     * first.
     */
    private Future<Void> holdSuspectsBack() {
        limits.close();
        return countCrashes()
                .compose(_ -> ask(new RunTakeovers.AskHistory(limits.suspectedFrom())))
                .map(history -> {
                    trial = SuspectTrial.of(history, ThreadLocalRandom.current().nextDouble());
                    limits.windowIs(trial.window().dividedBy(haste));
                    return null;
                });
    }

    private void letSuspectsGo() {
        vertx.setTimer(trial.control().toMillis() / haste, _ -> limits.open());
    }

    private void round() {
        if (stopped) {
            return;
        }
        rounds++;
        acceptBacklog();
        countCrashes()
                .onComplete(_ -> claimNow())
                .compose(_ -> rounds % ROUNDS_PER_LOOK_FOR_LOST == 0 ? lookForLost("") : Future.succeededFuture())
                .onFailure(cause -> LOG.warn("a sweep failed, retrying: {}", cause.getMessage()))
                .onComplete(_ -> vertx.setTimer(ROUND_MS / haste, _ -> round()));
    }

    /** Makes runs of the whole backlog, one part after another. */
    private void acceptBacklog() {
        if (stopped || accepting) {
            return;
        }
        accepting = true;
        ask(new RunTakeovers.AcceptBacklog())
                .onFailure(cause -> LOG.warn("cannot accept the backlog of runs, retrying: {}", cause.getMessage()))
                .otherwise(false)
                .onSuccess(isAccepted -> {
                    accepting = false;
                    if (isAccepted) {
                        claimNow();
                        acceptBacklog();
                    }
                });
    }

    /** Claims the runs of a node that has ended, as planned or not, without waiting for the next round. */
    private void lookForGone() {
        if (!stopped) {
            ask(new RunTakeovers.EndLeasesOfTheGone())
                    .compose(others -> {
                        var isAnyGone = !others.containsAll(knownNodes);
                        knownNodes = others;
                        return isAnyGone ? countCrashes().onSuccess(_ -> claimNow()) : Future.succeededFuture();
                    })
                    .onFailure(cause -> LOG.warn("cannot look for lost nodes, retrying: {}", cause.getMessage()))
                    .onComplete(_ -> vertx.setTimer(GONE_LOOK_MS, _ -> lookForGone()));
        }
    }

    /** Runs before any take-over: the count must be stored when a run ends the next server. */
    private Future<Void> countCrashes() {
        return ask(new RunTakeovers.CountCrashes(limits.suspectedFrom())).map(counted -> {
            if (counted > 0) {
                LOG.warn("{} runs were executing when their server ended", counted);
            }
            return null;
        });
    }

    /** The shards have processed the claimed runs, and there were more. */
    private void claimMore() {
        if (hasMore) {
            claimNow();
        }
    }

    /** A pending claim may have read before the new runs were stored, so another one follows. */
    private void claimNow() {
        if (stopped) {
            return;
        }
        if (claiming) {
            claimAgain = true;
            return;
        }
        claiming = true;
        claim().onFailure(cause -> LOG.warn("cannot claim new runs before the next sweep: {}", cause.getMessage()))
                .onComplete(_ -> {
                    claiming = false;
                    if (claimAgain) {
                        claimAgain = false;
                        claimNow();
                    }
                });
    }

    /** Runs beyond the free capacity are left to other nodes, or until there is capacity. */
    private Future<Void> claim() {
        var room = limits.room();
        if (room == 0) {
            hasMore = true;
            return Future.succeededFuture();
        }
        var passedOver = permits.crowdedProjects();
        return ask(new RunTakeovers.Claim(room, passedOver)).map(claimed -> {
            hasMore = claimed.hasMore() || !passedOver.isEmpty();
            handOver(claimed.runs());
            return null;
        });
    }

    private void handOver(List<OwnedRun> claimed) {
        claimed.forEach(run -> bus.tell(RunShards.adoptionAddress(shards.shardOf(run.runId())), run));
        if (!claimed.isEmpty()) {
            LOG.info("took over {} runs without an owner", claimed.size());
        }
    }

    private Future<Void> lookForLost(String after) {
        return ask(new RunTakeovers.FindOwned(after, OWNED_LOOKED_AT_ONCE)).compose(owned -> {
            var last = owned.size() < OWNED_LOOKED_AT_ONCE;
            var byShard = owned.stream().collect(Collectors.groupingBy(run -> shards.shardOf(run.runId())));
            for (var shard = 0; shard < shards.count(); shard++) {
                var runs = byShard.getOrDefault(shard, List.of());
                bus.tell(RunShards.ownedAddress(shard), new OrphanCheck.Owned(runs, last));
            }
            return last || stopped
                    ? Future.succeededFuture()
                    : lookForLost(owned.getLast().runId());
        });
    }

    /** Claims made after this timeout are found by the check for orphans. */
    private <R> Future<R> ask(BusRequest<R> request) {
        return bus.ask(request, ASK_DEADLINE_MS);
    }
}
