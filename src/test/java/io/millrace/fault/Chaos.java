package io.millrace.fault;

import io.millrace.persistence.EmbeddedPostgres;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A storm over real, packaged servers: events come in, steps call out, and meanwhile processes are killed, stopped and
 * continued, until enough events have been accepted. Then all of it is reckoned up. What it found is its exit status.
 */
final class Chaos implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    /** Longer than a node's lease, and long enough for the other node to take its runs over. */
    private static final long FREEZE_MS = 22_000;

    private static final int FREEZES_MAX = 3;
    private static final long DELAY_MS_MAX = 300;
    private static final int LIVE_LOOKED_AT = 100;

    private final ChaosPlan plan;
    private final PrintStream out;
    private final RandomGenerator random;
    private final Sink sink = Sink.start();
    private final List<DataDirectory> directories = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<EventKind, PublishedFlow> flows = new EnumMap<>(EventKind.class);
    private final Map<Disaster, Integer> struck = new TreeMap<>();
    private Optional<LoopDisk> disk = Optional.empty();
    private EmbeddedPostgres shared;

    /** What can happen to a server. */
    private enum Disaster {
        SERVER_KILLED,
        SERVER_AND_DATABASE_KILLED,
        DATABASE_KILLED,
        SERVER_FROZEN
    }

    private Chaos(ChaosPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(plan.seed());
    }

    /** Expects the packaged server and the options of {@link ChaosPlan}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var words = List.of(arguments);
        ChaosPlan plan;
        try {
            plan = ChaosPlan.parse(words.subList(1, words.size()));
        } catch (IllegalArgumentException unknown) {
            System.err.println(ChaosPlan.USAGE);
            System.exit(2);
            return;
        }
        if (plan.powerCut() && !LoopDisk.isPossible()) {
            System.err.println("a power cut is simulated on a loop device, which needs root");
            System.exit(2);
        }
        System.exit(run(plan, Path.of(words.getFirst()).toAbsolutePath(), System.out) ? 0 : 1);
    }

    private static boolean run(ChaosPlan plan, Path program, PrintStream out) throws IOException, InterruptedException {
        try (var chaos = new Chaos(plan, out)) {
            return chaos.run(program);
        }
    }

    private boolean run(Path program) throws IOException, InterruptedException {
        out.println(plan);
        prepare(program);
        var began = System.nanoTime();
        var load = new EventLoad(flows, this::bases, plan.events());
        load.start();
        for (var kill = 1; kill <= plan.kills(); kill++) {
            strikeAfter(load, (int) ((long) plan.events() * kill / (plan.kills() + 1)));
        }
        var accepted = load.finish();
        if (plan.powerCut()) {
            losePower();
        }
        out.printf(
                "load: %d s, disasters %s, other answers %s%n",
                Duration.ofNanos(System.nanoTime() - began).toSeconds(), struck, new TreeMap<>(load.refusals()));
        return report(reckon(accepted));
    }

    private void prepare(Path program) throws IOException {
        var settings = new HashMap<>(plan.settings());
        if (plan.nodes() > 1) {
            var directory = directory();
            shared = EmbeddedPostgres.start(
                    EmbeddedPostgres.Settings.of(directory.path()).withConnectionsMax(40 * plan.nodes()));
            settings.put(
                    "AP_POSTGRES_URL",
                    "postgres://%s:%s@127.0.0.1:%d/%s"
                            .formatted(shared.user(), shared.password(), shared.port(), shared.database()));
        }
        for (var number = 0; number < plan.nodes(); number++) {
            var node = new Node(program, plan.powerCut() ? directoryOnDisk() : directory(), settings, plan.breach());
            nodes.add(node);
            node.start();
        }
        var called = publish("CALLED", EventKind.called(sink)).externalId();
        for (var kind : EventKind.values()) {
            flows.put(kind, publish(kind.name(), kind.script(sink, called)));
        }
        // What comes before the storm is not what is to be lost.
        disk.ifPresent(LoopDisk::sync);
    }

    private PublishedFlow publish(String name, FlowScript script) {
        var flow = script.importOperation(name).path("request");
        return PublishedFlow.create(nodes.getFirst().api(), flow);
    }

    private DataDirectory directory() {
        var directory = DataDirectory.create();
        directories.add(directory);
        return directory;
    }

    private DataDirectory directoryOnDisk() throws IOException {
        disk = Optional.of(LoopDisk.create(directory().path(), "2G"));
        return new DataDirectory(Files.createDirectory(disk.get().path().resolve("data")));
    }

    private List<URI> bases() {
        return nodes.stream().flatMap(node -> node.base().stream()).toList();
    }

    private void strikeAfter(EventLoad load, int accepted) throws InterruptedException {
        if (!comes(() -> load.accepted() >= accepted)) {
            throw new IllegalStateException("expected " + accepted + " accepted events, found " + load.accepted());
        }
        // The storm strikes at any moment, not at that of an answer.
        Thread.sleep(random.nextLong(DELAY_MS_MAX));
        strike(disaster(), nodes.get(random.nextInt(nodes.size())));
    }

    /** Whether a condition comes true before the deadline. */
    private static boolean comes(BooleanSupplier condition) {
        var end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return true;
    }

    private Disaster disaster() {
        var chance = random.nextInt(10);
        if (plan.nodes() > 1) {
            return chance < 3 && struck.getOrDefault(Disaster.SERVER_FROZEN, 0) < FREEZES_MAX
                    ? Disaster.SERVER_FROZEN
                    : Disaster.SERVER_KILLED;
        }
        if (chance < 5) {
            return Disaster.SERVER_KILLED;
        }
        return chance < 8 ? Disaster.SERVER_AND_DATABASE_KILLED : Disaster.DATABASE_KILLED;
    }

    private void strike(Disaster disaster, Node node) throws InterruptedException {
        struck.merge(disaster, 1, Integer::sum);
        switch (disaster) {
            case SERVER_KILLED -> {
                node.kill();
                node.start();
            }
            case SERVER_AND_DATABASE_KILLED -> {
                node.killDatabase();
                node.kill();
                node.start();
            }
            case DATABASE_KILLED -> node.killDatabase();
            case SERVER_FROZEN -> {
                node.freeze();
                Thread.sleep(FREEZE_MS);
                node.thaw();
            }
        }
    }

    /** The server stands still first, so that nothing is acknowledged any more while the disk is being copied. */
    private void losePower() {
        var node = nodes.getFirst();
        node.freeze();
        disk.orElseThrow().cutPower();
        node.killDatabase();
        node.kill();
        disk.orElseThrow().restorePower();
        node.start();
    }

    private Reckoning reckon(Set<Integer> accepted) {
        var ledgers = flows.values().stream()
                .map(flow -> new Ledger(flow.at(nodes.getFirst().api())))
                .toList();
        var _ = comes(() -> ledgers.stream().allMatch(Ledger::hasNoLiveRun));
        var stuck =
                ledgers.stream().mapToInt(ledger -> ledger.live(LIVE_LOOKED_AT)).sum();
        var statuses = new HashMap<Integer, List<String>>();
        ledgers.forEach(ledger -> statuses.putAll(ledger.statuses()));
        return Reckoning.of(accepted, statuses, sink.calls(), stuck);
    }

    private boolean report(Reckoning reckoning) {
        out.println(reckoning.text());
        if (plan.breach().isEmpty()) {
            out.println(reckoning.isClean() ? "Every promise was kept." : "A PROMISE WAS BROKEN.");
            return reckoning.isClean();
        }
        var isReported = !reckoning.lost().isEmpty();
        out.println(
                isReported
                        ? "The server broke its promise on purpose, and the loss is reported, as it must be."
                        : "THE LOSS WAS NOT REPORTED: this harness proves nothing.");
        return isReported;
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        if (shared != null) {
            shared.stop();
        }
        disk.ifPresent(LoopDisk::close);
        directories.forEach(DataDirectory::close);
        sink.close();
    }
}
