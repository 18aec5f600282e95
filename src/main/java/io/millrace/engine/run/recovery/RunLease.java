package io.millrace.engine.run.recovery;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.store.RunOwnerStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node's lease, on a separate timer and connection, so that other database work cannot delay it; ends it
 * when the node stops. Deployed before the shards, and so stopped after them: a lease that ended while a shard still
 * completes its steps would let another node begin the same steps.
 */
public final class RunLease extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);

    private static final long RENEWED_ALONE_EVERY_MS = LeaseEpochs.LEASE.toMillis() / 4;

    /** Allows several lost renewals before other nodes treat this node as dead. */
    private static final long RENEWED_EVERY_MS = LeaseEpochs.SILENCE.toMillis() / 4;

    /** A renewal that takes longer is abandoned, and another one is sent. */
    private static final long RENEWAL_MS_MAX = LeaseEpochs.LEASE.toMillis() / 3;

    /** A difference beyond which one of the clocks is wrong; a slow renewal adds to it. */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(30);

    private final Database database;
    private final String nodeId;
    private final boolean onlyNode;
    private final LeaseEpochs epochs;
    private final InstantSource clock;
    private final RunOwnerStore store = new RunOwnerStore();
    private long timer;
    private boolean isRenewed;
    private boolean clocksDiffer;
    private boolean stopped;

    /**
     * @param database database with a dedicated connection
     * @param onlyNode whether no other node can use this database, as is sure of an embedded one: then runs of a former
     *     process can be taken over at once
     */
    public RunLease(Database database, String nodeId, boolean onlyNode, LeaseEpochs epochs, InstantSource clock) {
        this.database = database;
        this.nodeId = nodeId;
        this.onlyNode = onlyNode;
        this.epochs = epochs;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        return renew().compose(_ ->
                        onlyNode ? database.read(tx -> store.endOtherLeases(tx, nodeId)) : Future.succeededFuture())
                .onSuccess(_ -> renewLater());
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return database.read(tx -> store.endLease(tx, nodeId)).eventually(database::close);
    }

    private void renewLater() {
        if (!stopped) {
            timer = vertx.setTimer(
                    onlyNode ? RENEWED_ALONE_EVERY_MS : RENEWED_EVERY_MS,
                    _ -> renew().onFailure(
                                    cause -> LOG.warn("cannot renew the lease, retrying: {}", cause.getMessage()))
                            .onComplete(_ -> renewLater()));
        }
    }

    private Future<Void> renew() {
        var askedAt = epochs.now();
        var isInTime = isRenewed && epochs.term() != LeaseEpochs.NONE;
        return database.read(tx -> store.renewLease(tx, nodeId, LeaseEpochs.LEASE, isInTime, clock.instant()))
                .timeout(RENEWAL_MS_MAX, TimeUnit.MILLISECONDS)
                .onSuccess(this::compareClocks)
                .compose(_ -> epochs.renewed(askedAt) ? comeBack() : Future.succeededFuture());
    }

    /** Leases do not depend on the clock of the node, but claims of deliveries and the times of schedules do. */
    private void compareClocks(Duration behind) {
        isRenewed = true;
        var differ = behind.abs().compareTo(CLOCKS_DIFFER) > 0;
        if (differ && !clocksDiffer) {
            LOG.warn(
                    "the clock of this server differs from that of the database by {} s: schedules fire and deliveries"
                            + " are claimed at other times than on other nodes; synchronize both clocks",
                    -behind.toSeconds());
        } else if (!differ && clocksDiffer) {
            LOG.info("the clock of this server agrees with that of the database again");
        }
        clocksDiffer = differ;
    }

    /** Other nodes may have treated this node as dead, which counted against its runs. */
    private Future<Void> comeBack() {
        return database.read(tx -> store.takeCountsBack(tx, nodeId));
    }
}
