package io.millrace.fault;

import io.millrace.support.ApiClient;
import io.millrace.support.ClusterWays;
import io.millrace.support.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Servers of a storm, with the disk, the database and the connections into which faults are injected. */
final class StormNodes implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long LOOK_AGAIN_NANOS = 20_000_000;
    private static final int CONNECTIONS_PER_NODE = 40;
    private static final String DISK_SIZE = "4G";

    private final ChaosPlan plan;
    private final Path program;
    private final Defects defects;
    private final List<DataDirectory> directories = new ArrayList<>();

    /** Nodes are added while events arrive. */
    private final List<ServerNode> nodes = new CopyOnWriteArrayList<>();

    private Optional<LoopDisk> disk = Optional.empty();
    private Optional<ToolDatabase> shared = Optional.empty();
    private Optional<ClusterWays> clusterWays = Optional.empty();

    StormNodes(ChaosPlan plan, Path program, Defects defects) {
        this.plan = plan;
        this.program = program;
        this.defects = defects;
    }

    /** Starts all nodes of the plan. */
    void start() throws IOException {
        if (plan.powerCut() || plan.isMixed() && LoopDisk.isPossible()) {
            disk = Optional.of(LoopDisk.create(directory().path(), DISK_SIZE));
        }
        if (plan.nodes() > 1) {
            shared = Optional.of(
                    ToolDatabase.start(databaseDirectory().path(), CONNECTIONS_PER_NODE * (plan.nodes() + 1)));
            // Reserves the connections of the node that is added later.
            clusterWays = plan.byEngine() ? Optional.of(new ClusterWays(plan.nodes() + 1)) : Optional.empty();
        }
        for (var number = 0; number < plan.nodes(); number++) {
            add();
        }
    }

    /** Starts a further node. */
    void add() throws IOException {
        var number = nodes.size();
        var node = new ServerNode(
                program,
                shared.isPresent() ? directory() : databaseDirectory(),
                plan,
                shared,
                clusterWays.map(ways -> new ServerNode.Joined(ways, number)));
        node.start();
        nodes.add(node);
    }

    private DataDirectory directory() {
        var directory = DataDirectory.create();
        directories.add(directory);
        return directory;
    }

    /** Directory on the {@link LoopDisk} if the storm has one. */
    private DataDirectory databaseDirectory() throws IOException {
        return disk.isPresent()
                ? new DataDirectory(Files.createDirectory(disk.get().path().resolve("data")))
                : directory();
    }

    int count() {
        return nodes.size();
    }

    ServerNode get(int number) {
        return nodes.get(number);
    }

    /** Client of the first node. */
    ApiClient api() {
        return nodes.getFirst().api();
    }

    /** Address of each node; empty while it restarts. */
    List<Optional<URI>> addresses() {
        return nodes.stream().map(ServerNode::base).toList();
    }

    /** Addresses of the nodes that listen. */
    List<URI> bases() {
        return nodes.stream().flatMap(node -> node.base().stream()).toList();
    }

    /** True if the nodes share one external database. */
    boolean isShared() {
        return shared.isPresent();
    }

    boolean isJoinedByEngine() {
        return clusterWays.isPresent();
    }

    Optional<LoopDisk> disk() {
        return disk;
    }

    /**
     * Waits until a condition is true, or the deadline; a server that exits meanwhile is counted as a defect and
     * restarted.
     */
    boolean await(BooleanSupplier condition) {
        var end = System.nanoTime() + DEADLINE.toNanos();
        do {
            nodes.forEach(node -> node.revive().ifPresent(defects::add));
            if (isTrue(condition)) {
                return true;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        } while (System.nanoTime() < end);
        return false;
    }

    /** A server that does not answer may have exited, which is noticed, or answer later. */
    private static boolean isTrue(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException noAnswer) {
            return false;
        }
    }

    /** Freezes the server first, so that it acknowledges nothing while the disk is copied. */
    void losePower() {
        var node = nodes.getFirst();
        node.freeze();
        disk.orElseThrow().cutPower();
        node.killDatabase();
        node.kill();
        disk.orElseThrow().restorePower();
        node.start();
    }

    @Override
    public void close() {
        nodes.forEach(ServerNode::close);
        clusterWays.ifPresent(ClusterWays::close);
        shared.ifPresent(ToolDatabase::close);
        disk.ifPresent(LoopDisk::close);
        directories.forEach(DataDirectory::close);
    }
}
