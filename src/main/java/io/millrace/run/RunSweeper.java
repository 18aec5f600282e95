package io.millrace.run;

import io.millrace.bus.Bus;
import io.millrace.persistence.Database;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every live run has a live owner: keeps this node's lease, takes over runs whose owner has none, and
 * hands them to the shards. Also prepares the partitions of the coming days, and drops those and the keys that
 * nobody keeps any more.
 */
public final class RunSweeper extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RunSweeper.class);

    private static final long ROUND_MS = 4_000;
    private static final int CLAIMED_AT_ONCE_MAX = 500;
    private static final int PARTITION_DAYS_AHEAD = 7;
    private static final long ROUNDS_PER_DAY_CHECK = 900;
    private static final long ROUNDS_PER_LOOK_FOR_LOST = 5;
    private static final int OWNED_LOOKED_AT_MAX = 10_000;
    private static final int KEYS_DROPPED_AT_ONCE = 10_000;

    private final Database database;
    private final Bus bus;
    private final RunShards shards;
    private final String nodeId;
    private final boolean onlyNode;
    private final int retentionDays;
    private final LeaseTerms terms;
    private final InstantSource clock;
    private final RunStore store = new RunStore();
    private final StartKeyStore keys = new StartKeyStore();
    private long rounds;
    private boolean stopped;
    private boolean claiming;
    private boolean claimAgain;

    /**
     * @param onlyNode whether no other node can use this database, as is sure of an embedded one: then what a former
     *     process left behind is taken over at once
     * @param retentionDays how long ended runs are kept (AP_EXECUTION_DATA_RETENTION_DAYS)
     */
    public RunSweeper(
            Database database,
            Bus bus,
            RunShards shards,
            String nodeId,
            boolean onlyNode,
            int retentionDays,
            LeaseTerms terms,
            InstantSource clock) {
        this.database = database;
        this.bus = bus;
        this.shards = shards;
        this.nodeId = nodeId;
        this.onlyNode = onlyNode;
        this.retentionDays = retentionDays;
        this.terms = terms;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        return preparePartitions()
                .compose(_ -> renewLease())
                .compose(_ -> onlyNode ? database.read(tx -> store.endOtherLeases(tx, nodeId)) : renewLease())
                .onSuccess(_ -> {
                    bus.on(Runs.TakenIn.class, _ -> claimNow());
                    round();
                });
    }

    /** The lease is kept while the shards let their steps finish; {@link RunLease} ends it. */
    @Override
    public Future<?> stop() {
        stopped = true;
        return renewLease();
    }

    private void round() {
        if (stopped) {
            return;
        }
        rounds++;
        var ready = rounds % ROUNDS_PER_DAY_CHECK == 0 ? preparePartitions() : Future.<Void>succeededFuture();
        ready.compose(_ -> renewLease())
                .compose(_ -> claim())
                .compose(_ -> rounds % ROUNDS_PER_LOOK_FOR_LOST == 0 ? lookForLost() : Future.succeededFuture())
                .onFailure(cause -> LOG.warn("a sweep failed, the next one follows: {}", cause.getMessage()))
                .onComplete(_ -> vertx.setTimer(ROUND_MS, _ -> round()));
    }

    /** A claim under way may have looked before what is new was there, so another one follows. */
    private void claimNow() {
        if (stopped) {
            return;
        }
        if (claiming) {
            claimAgain = true;
            return;
        }
        claiming = true;
        claim().onFailure(cause -> LOG.warn("new runs wait for the next sweep: {}", cause.getMessage()))
                .onComplete(_ -> {
                    claiming = false;
                    if (claimAgain) {
                        claimAgain = false;
                        claimNow();
                    }
                });
    }

    private Future<Void> claim() {
        return database.durably(
                        RunDurableWrite.TAKEN_OVER,
                        () -> database.inTransaction(tx -> store.claimOrphans(tx, nodeId, CLAIMED_AT_ONCE_MAX)))
                .compose(this::handOver);
    }

    private Future<Void> handOver(List<LiveRun> claimed) {
        claimed.forEach(run -> {
            var desk = RunShards.adoptionDesk(shards.shardOf(run.birth().id()));
            bus.tell(desk, run);
        });
        if (!claimed.isEmpty()) {
            LOG.info("took over {} runs that had lost their owner", claimed.size());
        }
        return claimed.size() == CLAIMED_AT_ONCE_MAX && !stopped ? claim() : Future.succeededFuture();
    }

    private Future<Void> lookForLost() {
        return database.read(tx -> store.owned(tx, nodeId, OWNED_LOOKED_AT_MAX)).map(owned -> {
            var byShard = owned.stream().collect(Collectors.groupingBy(run -> shards.shardOf(run.runId())));
            byShard.forEach((shard, runs) -> bus.tell(RunShards.ownedDesk(shard), new LostRuns.Owned(runs)));
            return null;
        });
    }

    private Future<Void> renewLease() {
        var askedAt = terms.now();
        return database.urgent()
                .read(tx -> store.renewLease(tx, nodeId, Math.toIntExact(LeaseTerms.LEASE.toSeconds())))
                .onSuccess(_ -> terms.renewed(askedAt));
    }

    private Future<Void> preparePartitions() {
        var today = clock.instant().truncatedTo(ChronoUnit.DAYS);
        return database.read(tx -> store.preparePartitions(tx, today, PARTITION_DAYS_AHEAD)
                        .compose(_ -> store.dropRunsBefore(tx, today.minus(retentionDays, ChronoUnit.DAYS))))
                .compose(_ -> dropExpiredKeys());
    }

    /** So many at once that nobody who starts a run waits for it. */
    private Future<Void> dropExpiredKeys() {
        return database.read(tx -> keys.dropExpired(tx, clock.instant(), KEYS_DROPPED_AT_ONCE))
                .compose(dropped ->
                        dropped == KEYS_DROPPED_AT_ONCE && !stopped ? dropExpiredKeys() : Future.succeededFuture());
    }
}
