package io.millrace.base.cluster;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Coordination between the nodes that share one database. A node that is known to be alone gets every answer at once. Safe
 * for threads.
 */
public final class Cluster {
    /** Time after the last read of the log of changes for which a node may use cached values. */
    static final Duration CURRENT_FOR = Duration.ofSeconds(1);

    private static final long SYNC_DEADLINE_MS = 10_000;

    /** Longer than nodes are waited for. */
    private static final long SETTLE_DEADLINE_MS = SYNC_DEADLINE_MS + 2 * CURRENT_FOR.toMillis();

    private final Bus bus;
    private final boolean alone;
    private final LongSupplier nanoTime;
    private volatile long lookedAt;
    private volatile Set<String> others = Set.of();

    /** Reads the log of changes, and answers when all its changes are in force at this node. */
    record Sync() implements BusRequest<Nothing> {}

    /** Waits until the changes committed before are in force at every live node. */
    record Settle() implements BusRequest<Nothing> {}

    /**
     * Claims a round of housekeeping that one node performs for all; true for that node. A round that is lost because its
     * node ends is made up for by the next one.
     *
     * @param name of the task
     * @param every interval at which each node asks
     */
    public record ClaimRound(String name, Duration every) implements BusRequest<Boolean> {}

    /** The nodes of the database, those that have ended lately among them. */
    record FindNodes() implements BusRequest<List<WorkerMachine>> {}

    record Watch(String topic, boolean begins) implements Notice {}

    /** Another node has no lease: it has ended or is suspended. Published at each of the other nodes. */
    public record NodeGone(String nodeId) implements Notice {}

    /** @param alone true if no other node can use this database, as is certain of an embedded one */
    public Cluster(Bus bus, boolean alone) {
        this(bus, alone, System::nanoTime);
    }

    /** @param nanoTime clock that advances while the process is suspended */
    Cluster(Bus bus, boolean alone, LongSupplier nanoTime) {
        this.bus = bus;
        this.alone = alone;
        this.nanoTime = nanoTime;
        this.lookedAt = nanoTime.getAsLong() - CURRENT_FOR.toNanos();
    }

    public boolean isAlone() {
        return alone;
    }

    /** Returns true if the cached values of this node are recent enough for every other node to rely on. */
    public boolean isCurrent() {
        return alone || nanoTime.getAsLong() - lookedAt < CURRENT_FOR.toNanos();
    }

    /** Done as soon as cached values of this node may be used; nearly always at once. */
    public Future<Void> current() {
        return isCurrent()
                ? Future.succeededFuture()
                : bus.ask(new Sync(), SYNC_DEADLINE_MS).mapEmpty();
    }

    /**
     * Done when the changes committed before the call are in force at every live node, or the node may no longer use cached
     * values. Never fails: a committed change cannot be undone.
     */
    public Future<Void> settled() {
        return alone
                ? Future.succeededFuture()
                : bus.ask(new Settle(), SETTLE_DEADLINE_MS).<Void>mapEmpty().otherwiseEmpty();
    }

    /** Returns true if another node had a lease when this one last looked. */
    public boolean isLive(String nodeId) {
        return others.contains(nodeId);
    }

    void live(Collection<String> nodes) {
        others = Set.copyOf(nodes);
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** Everything that was committed when the clock showed this is obeyed here. */
    void lookedAt(long nanos) {
        lookedAt = nanos;
    }
}
