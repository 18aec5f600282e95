package io.millrace.fault;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
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
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.slf4j.LoggerFactory;

/**
 * Storm against packaged servers: events arrive and steps make outgoing calls while faults are injected into processes,
 * database, disk and memory, until enough events have been accepted. Then the outcome of every event is checked. The
 * exit status is the result.
 */
final class Chaos implements AutoCloseable {
    private static final long DELAY_MS_MAX = 300;
    private static final int LIVE_LOOKED_AT = 100;

    /** Share of the responses that the proxy drops. */
    private static final double DROPPED = 0.01;

    private final ChaosPlan plan;
    private final PrintStream out;
    private final RandomGenerator random;
    private final Sink sink = Sink.start();
    private final Defects defects = new Defects();
    private final StormNodes nodes;
    private final Map<EventKind, PublishedFlow> flows = new EnumMap<>(EventKind.class);
    private Optional<MemoryStorm> memoryStorm = Optional.empty();
    private Optional<PoisonRun> poisonRun = Optional.empty();
    private Optional<FrontProxy> front = Optional.empty();
    private Optional<LimitWatch> limitWatch = Optional.empty();
    private Optional<EditWriters> editWriters = Optional.empty();

    private Chaos(ChaosPlan plan, Path program, PrintStream out) {
        this.plan = plan;
        this.nodes = new StormNodes(plan, program, defects);
        this.out = out;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(plan.seed());
    }

    /** Expects the path of the packaged server and the options of {@link ChaosPlan}. */
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
        // The harness's own database connections fail under injected faults, too.
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        System.exit(run(plan, Path.of(words.getFirst()).toAbsolutePath(), System.out) ? 0 : 1);
    }

    private static boolean run(ChaosPlan plan, Path program, PrintStream out) throws IOException, InterruptedException {
        try (var chaos = new Chaos(plan, program, out)) {
            return chaos.run();
        }
    }

    private boolean run() throws IOException, InterruptedException {
        out.println(plan);
        prepare();
        var began = System.nanoTime();
        var load = new EventLoad(flows, this::entrances);
        var harms = new Harms(kinds(), random, harm -> {
            load.harmed(harm);
            out.printf("%4d s, %5d accepted: %s%n", secondsSince(began), load.accepted(), harm);
        });
        load.start();
        limitWatch.ifPresent(LimitWatch::start);
        editWriters.ifPresent(EditWriters::start);
        for (var kill = 1; kill <= plan.kills(); kill++) {
            awaitAccepted(load, (int) ((long) plan.events() * kill / (plan.kills() + 1)));
            // Faults strike at arbitrary moments, not only after a response.
            Thread.sleep(random.nextLong(DELAY_MS_MAX));
            if (plan.from().isPresent()) {
                harms.strike(nodes.get(kill - 1));
                continue;
            }
            if (nodes.isShared() && kill == plan.kills() / 2) {
                out.printf("%4d s, %5d accepted: node added%n", secondsSince(began), load.accepted());
                nodes.add();
            }
            harms.strike(nodes.get(random.nextInt(nodes.count())));
        }
        awaitAccepted(load, plan.events());
        var accepted = load.finish();
        if (limitWatch.isPresent()) {
            limitWatch.get().finish();
        }
        var edits = finishEdits();
        if (plan.powerCut()) {
            nodes.losePower();
        }
        out.printf(
                "load: %d s, harm done %s, other answers %s%n",
                secondsSince(began), harms.struck(), new TreeMap<>(load.refusals()));
        out.println("callers: " + load.patience());
        memoryStorm.ifPresent(storm -> out.println("large bodies: " + storm.answers()));
        poisonRun.ifPresent(poison -> out.println("servers ended by poison: " + poison.kills()));
        front.ifPresent(proxy -> out.println("proxy: " + proxy.figures()));
        return report(reckon(accepted), edits);
    }

    private static long secondsSince(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toSeconds();
    }

    private void prepare() throws IOException {
        nodes.start();
        var called = publish("CALLED", EventKind.called(sink)).externalId();
        for (var kind : EventKind.values()) {
            flows.put(kind, publish(kind.name(), kind.script(sink, called)));
        }
        if (plan.isMixed()) {
            memoryStorm = Optional.of(new MemoryStorm(publish("HEAVY", MemoryStorm.script(sink)), defects));
        }
        if (plan.isMixed() && plan.nodes() == 1) {
            poisonRun = Optional.of(new PoisonRun(publish("POISON", PoisonRun.script(sink)), sink, defects));
        }
        if (plan.isProxied()) {
            front = Optional.of(new FrontProxy(nodes::addresses, DROPPED, plan.seed()));
            limitWatch = Optional.of(LimitWatch.of(flows.get(EventKind.PURE), sink, this::entrances));
            editWriters = EditWriters.of(flows.get(EventKind.PURE), entrances().getFirst(), plan.seed());
            if (editWriters.isEmpty()) {
                out.println("left out: console edits (need Node.js on the PATH)");
            }
        }
        // Data created before the storm must be durable.
        nodes.disk().ifPresent(LoopDisk::sync);
    }

    private PublishedFlow publish(String name, FlowScript script) {
        var flow = script.importOperation(name).path("request");
        return PublishedFlow.create(nodes.api(), flow);
    }

    /** Kinds of faults of this storm; prints the kinds that this machine does not support. */
    private List<Harm> kinds() {
        if (plan.from().isPresent()) {
            return List.of(ProcessHarm.SERVER_REPLACED);
        }
        if (!plan.isMixed()) {
            return List.of(
                    ProcessHarm.SERVER_KILLED, ProcessHarm.SERVER_AND_DATABASE_KILLED, ProcessHarm.DATABASE_KILLED);
        }
        var kinds = new ArrayList<Harm>(List.of(
                ProcessHarm.SERVER_KILLED,
                ProcessHarm.SERVER_KILLED,
                ProcessHarm.DATABASE_KILLED,
                plan.nodes() > 1 ? ProcessHarm.SERVER_FROZEN : ProcessHarm.SERVER_AND_DATABASE_KILLED,
                DatabaseHarm.SILENT_DATABASE,
                DatabaseHarm.SLOW_DATABASE));
        if (nodes.isShared()) {
            kinds.add(DatabaseHarm.FORGOTTEN_CONNECTIONS);
        }
        if (nodes.isJoinedByEngine()) {
            kinds.addAll(List.of(NetworkHarm.values()));
        }
        memoryStorm.ifPresent(kinds::add);
        nodes.disk()
                .map(FullDisk::new)
                .ifPresentOrElse(kinds::add, () -> out.println("left out: full disk (needs root and a loop device)"));
        poisonRun.ifPresentOrElse(kinds::add, () -> out.println("left out: poison run (needs a single node)"));
        return kinds;
    }

    /** Base addresses to which callers send their events. */
    private List<URI> entrances() {
        return front.map(proxy -> List.of(proxy.base())).orElseGet(nodes::bases);
    }

    private void awaitAccepted(EventLoad load, int accepted) {
        load.want(accepted);
        if (!nodes.await(() -> load.accepted() >= accepted)) {
            throw new IllegalStateException("expected " + accepted + " accepted events, found " + load.accepted()
                    + " and other answers " + load.refusals());
        }
    }

    private Reckoning reckon(Set<Integer> events) {
        var all = new TreeSet<>(events);
        var poisoned = new TreeSet<Integer>();
        memoryStorm.ifPresent(storm -> all.addAll(storm.accepted()));
        limitWatch.ifPresent(watch -> all.addAll(watch.accepted()));
        poisonRun.ifPresent(poison -> poisoned.addAll(poison.numbers()));
        all.addAll(poisoned);
        // Read before each request: a restarted server listens on another port.
        var _ = nodes.await(() -> ledgers().stream().allMatch(Ledger::hasNoLiveRun));
        var ledgers = ledgers();
        var stuck =
                ledgers.stream().mapToInt(ledger -> ledger.live(LIVE_LOOKED_AT)).sum();
        var statuses = new HashMap<Integer, List<String>>();
        ledgers.forEach(ledger -> statuses.putAll(ledger.statuses()));
        ledgers.forEach(ledger ->
                ledger.faults().forEach((number, fault) -> out.println("event " + number + " ended " + fault)));
        return Reckoning.of(all, poisoned, statuses, sink.calls(), stuck);
    }

    private List<Ledger> ledgers() {
        var api = nodes.api();
        var ledgers = new ArrayList<Ledger>();
        flows.values().forEach(flow -> ledgers.add(new Ledger(flow.asked(api))));
        limitWatch.ifPresent(watch -> ledgers.add(new Ledger(watch.flow().asked(api))));
        poisonRun.ifPresent(poison -> ledgers.add(new Ledger(poison.flow().asked(api))));
        memoryStorm.ifPresent(storm -> ledgers.add(new Ledger(storm.flow().asked(api), 1)));
        return ledgers;
    }

    /**
     * Lets the writers end while servers that exit are still restarted, and compares the flows with the confirmations
     * that the writers received.
     */
    private Optional<EditReckoning> finishEdits() throws IOException, InterruptedException {
        if (editWriters.isEmpty()) {
            return Optional.empty();
        }
        editWriters.get().end();
        if (!nodes.await(editWriters.get()::haveEnded)) {
            throw new IllegalStateException("expected the console writers to end, found one that waits");
        }
        return Optional.of(editWriters.get().reckon(nodes.api()));
    }

    private boolean report(Reckoning reckoning, Optional<EditReckoning> edits) {
        out.println(reckoning.text());
        edits.map(EditReckoning::text).ifPresent(out::println);
        limitWatch.ifPresent(watch -> {
            out.printf("limits: %d runs at once of a project that may have %d%n", sink.heldMax(), LimitWatch.LIMIT);
            if (sink.heldMax() > LimitWatch.LIMIT) {
                defects.add("the limit of a project was exceeded");
            }
        });
        defects.lines().forEach(out::println);
        var isClean = reckoning.isClean()
                && defects.isEmpty()
                && edits.map(EditReckoning::isClean).orElse(true);
        if (plan.breach().isEmpty()) {
            out.println(isClean ? "Every promise was kept." : "A PROMISE WAS BROKEN.");
            return isClean;
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
        editWriters.ifPresent(EditWriters::close);
        front.ifPresent(FrontProxy::close);
        nodes.close();
        sink.close();
    }
}
