package io.millrace.bench;

import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the packaged server with its default settings against two baselines: {@link BareServer}, which stores
 * nothing, and {@link GroupedInsertServer}, which makes one row durable for each call. Prints the results.
 */
final class Bench {
    static final String ORDER = "{\"customer\":\"Ada\",\"quantity\":3,\"price\":19.5}";

    private static final int CONNECTIONS = 64;

    /** Calls after which the JIT compilers have little work left; a fixed time would be too short on a slow machine. */
    private static final long WARM_UP_CALLS = 300_000;

    private static final long WARM_UP_CALLS_OF_CODE = 20_000;

    /** Warm-up of small or already compiled code. */
    private static final long WARM_UP_CALLS_FEW = 60_000;

    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration CALM = Duration.ofSeconds(20);
    private static final int SMALL_HEAP_MEGABYTES = 128;

    private final Path program;
    private final JsonNode flow;
    private final Path directory;
    private final Plan plan;
    private final BenchReport report;

    private Bench(Path program, JsonNode flow, Path directory, Plan plan, BenchReport report) {
        this.program = program;
        this.flow = flow;
        this.directory = directory;
        this.plan = plan;
        this.report = report;
    }

    /**
     * Duration and scope of the measurement.
     *
     * @param warmUp longest warm-up of a server
     * @param repeats largest number of repetitions of a disturbed round
     */
    private record Plan(Duration warmUp, int rounds, Duration round, int repeats, boolean shapes, boolean ladders) {
        static final Plan WHOLE = new Plan(Duration.ofSeconds(120), 5, Duration.ofSeconds(4), 2, true, false);
        static final Plan REPORT = new Plan(Duration.ofSeconds(120), 5, Duration.ofSeconds(4), 2, true, true);
        static final Plan QUICK = new Plan(Duration.ofSeconds(25), 3, Duration.ofSeconds(2), 0, false, false);
    }

    /** The two measured flows: four steps of pieces, and one step of code. */
    private record Published(PublishedFlow pieces, PublishedFlow code) {
        Published at(ServerProcess server) {
            var api = server.api(START_DEADLINE);
            return new Published(pieces.at(api), code.asked(pieces.at(api).api()));
        }
    }

    /**
     * Expects the packaged server, the file of the flow, and optionally one of the options of {@code scripts/bench}
     * with its arguments: the file of {@code --report}, the installation folder of peers, the part of {@code
     * --backlog}.
     */
    public static void main(String[] arguments) throws IOException {
        var report = new BenchReport(System.out);
        var program = Path.of(arguments[0]);
        var flow = Json.parse(Files.readString(Path.of(arguments[1])));
        var kind = arguments.length > 2 ? arguments[2] : "";
        var operand = arguments.length > 3 ? arguments[3] : "";
        switch (kind) {
            case "" -> inDirectory(program, flow, Plan.WHOLE, report, Bench::measure);
            case "--quick" -> inDirectory(program, flow, Plan.QUICK, report, Bench::measure);
            case "--report" -> {
                inDirectory(program, flow, Plan.REPORT, report, Bench::measure);
                report.write(Path.of(operand));
            }
            case "--peers" ->
                inDirectory(program, flow, Plan.QUICK, report, bench -> bench.besidePeers(Path.of(operand)));
            case "--admin" -> Administration.measure(program, flow, report);
            case "--agents" -> AgentTurns.measure(program, report);
            case "--meters" -> MeterCost.measure(program, flow, report);
            case "--code" -> CodeSteps.measure(program, flow, report);
            case "--growth" -> inDirectory(program, flow, Plan.QUICK, report, Bench::growth);
            case "--backlog" -> Backlog.measure(program, flow, operand, report);
            default -> throw new IllegalArgumentException("expected an option that scripts/bench names, found " + kind);
        }
    }

    private static void inDirectory(
            Path program, JsonNode flow, Plan plan, BenchReport report, Consumer<Bench> measuring) {
        try (var directory = DataDirectory.create()) {
            measuring.accept(new Bench(program, flow, directory.path(), plan, report));
        }
    }

    private void measure() {
        report.say(
                "%s, %d processors, JDK %s, default settings, median of %d rounds of %d s",
                Instant.now().truncatedTo(ChronoUnit.MINUTES),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                plan.rounds(),
                plan.round().toSeconds());
        PublishedFlow pieces;
        try (var server = start(Map.of())) {
            pieces = PublishedFlow.create(server.api(START_DEADLINE), flow);
            for (var run = 0; run < ColdStart.RUNS; run++) {
                pieces.api().post("/v1/webhooks/" + pieces.flowId() + "/sync", order());
            }
            stop(server);
        }
        var published = new Published(pieces, withoutCode());
        coldStarts(published);
        try (var server = start(Map.of());
                var load = new LoadGenerator()) {
            underLoad(server, load, published.at(server));
            stop(server);
        }
        if (plan.shapes()) {
            inSmallHeap();
        }
    }

    /** Measures only the slowdown by history. */
    private void growth() {
        try (var server = start(Map.of());
                var load = new LoadGenerator()) {
            var published = PublishedFlow.create(server.api(START_DEADLINE), flow);
            var port = server.port(START_DEADLINE);
            load.run(call(port, published, "/sync"), CONNECTIONS, plan.warmUp());
            new Growth(published, port, load, directory, plan.round(), report).measure();
            stop(server);
        }
    }

    /** The same calls are sent to other servers, which store nothing. */
    private void besidePeers(Path installed) {
        var peers = new Peers(installed, directory);
        try (var server = start(Map.of());
                var load = new LoadGenerator()) {
            var published = publish(server);
            var port = server.port(START_DEADLINE);
            var others = Stream.of(peers.nodeRed(), peers.n8n())
                    .flatMap(Optional::stream)
                    .toList();
            var sides = new ArrayList<>(List.of(
                    new Side("Millrace, four steps", server, call(port, published.pieces(), "/sync")),
                    new Side("Millrace, a code step", server, call(port, published.code(), "/sync"))));
            sides.addAll(others);
            sides.forEach(side -> side.warmUp(load, CONNECTIONS, plan.warmUp()));
            var comparison = new BenchComparison(
                    load, sides, new BenchComparison.Rounds(plan.rounds(), plan.round(), plan.repeats()), report);
            comparison.measure();
            comparison.table(others);
            others.forEach(side -> side.server().close());
            stop(server);
        }
    }

    /** Measures a server that needs no code worker; publishes the first flow that does. */
    private PublishedFlow withoutCode() {
        try (var server = start(Map.of())) {
            server.port(START_DEADLINE);
            report.judge("idle memory of all processes", ColdStart.megabytesWhenIdle(server), "MB", 160, false);
            var code = publishCode(server);
            stop(server);
            return code;
        }
    }

    private Published publish(ServerProcess server) {
        return new Published(PublishedFlow.create(server.api(START_DEADLINE), flow), publishCode(server));
    }

    private static PublishedFlow publishCode(ServerProcess server) {
        var code = webhook()
                .code(
                        "step_1",
                        "export const code = async (inputs) => { return { total: inputs.q * inputs.p }; };",
                        "{'q':'{{trigger.output.body.quantity}}','p':'{{trigger.output.body.price}}'}")
                .returnJson("step_2", "{'total':'{{step_1.output.total}}'}");
        return PublishedFlow.create(
                server.api(START_DEADLINE), code.importOperation("Code").path("request"));
    }

    private void coldStarts(Published published) {
        try (var load = new LoadGenerator()) {
            var found = IntStream.range(0, plan.rounds())
                    .mapToObj(_ -> coldStart(published, load))
                    .toList();
            ColdStart.say(found, report);
        }
    }

    private ColdStart coldStart(Published published, LoadGenerator load) {
        try (var server = start(Map.of())) {
            var start = ColdStart.measure(server, published.code(), load, START_DEADLINE);
            stop(server);
            return start;
        }
    }

    /** Objects other than those of a run take about 28 MB, so 100 MB are left. */
    private void inSmallHeap() {
        try (var server = start(Map.of("MILLRACE_JAVA_OPTIONS", "-Xmx" + SMALL_HEAP_MEGABYTES + "m"));
                var load = new LoadGenerator()) {
            shapes(server, load).loopInSmallHeap(SMALL_HEAP_MEGABYTES, report);
            stop(server);
        }
    }

    private Shapes shapes(ServerProcess server, LoadGenerator load) {
        return new Shapes(
                server, server.port(START_DEADLINE), load, server.api(START_DEADLINE), directory, plan.round());
    }

    private void underLoad(ServerProcess server, LoadGenerator load, Published published) {
        var port = server.port(START_DEADLINE);
        var sync = call(port, published.pieces(), "/sync");
        var async = call(port, published.pieces(), "");
        var answer = published
                .pieces()
                .api()
                .post("/v1/webhooks/" + published.pieces().flowId() + "/sync", order());
        report.say("the flow answers %d %s", answer.status(), answer.body());
        var limits = DataDirectory.create();
        try (var bareServer = limit(BareServer.class, limits.path(), Json.text(answer.body()));
                var insertServer = limit(
                        GroupedInsertServer.class, limits.path(), limits.path().toString(), Json.text(answer.body()))) {
            var bare = Target.post(bareServer.port(START_DEADLINE), "/", ORDER);
            compare(
                    load,
                    new Side("bare server", bareServer, bare),
                    new Side(
                            "grouped insert", insertServer, Target.post(insertServer.port(START_DEADLINE), "/", ORDER)),
                    new Side("flow of four steps", server, sync),
                    new Side("flow with a code step", server, call(port, published.code(), "/sync")),
                    new Side("flow of four steps, accepted", server, async));
            memoryAfterLoad(server);
            if (plan.ladders()) {
                new Ladder(load, plan.round(), report)
                        .measure(List.of(
                                new Ladder.Kind("synchronous calls", sync),
                                new Ladder.Kind("asynchronous calls", async),
                                new Ladder.Kind("the bare server", bare)));
            }
            stop(insertServer);
        } finally {
            limits.close();
        }
        if (plan.shapes()) {
            shapes(server, load).measure(report);
            besideBombs(server, load, published.pieces(), sync);
        }
        if (plan.ladders()) {
            new Endurance(server, load, report).measure(async);
            new Growth(published.pieces(), port, load, directory, plan.round(), report).measure();
        }
    }

    /** Memory directly after the load, and after enough idle time for the server to detect it. */
    private void memoryAfterLoad(ServerProcess server) {
        report.judge("memory of all processes after the load", (double) Memory.megabytes(server), "MB", 350, false);
        report.say("  at once: %s", Memory.parts(server));
        LockSupport.parkNanos(CALM.toNanos());
        report.say(
                "memory of all processes after %d s of calm: %d MB: %s",
                CALM.toSeconds(), Memory.megabytes(server), Memory.parts(server));
    }

    private void warmUp(LoadGenerator load, Side side, long calls) {
        var done = side.warmUp(load, CONNECTIONS, calls, plan.warmUp());
        report.say(
                "  warm-up of %s: %d of %d calls; compilers used %.1f us of each of the last calls",
                side.name(), done.calls(), calls, done.compilerMicros());
    }

    private void compare(LoadGenerator load, Side bare, Side inserts, Side pieces, Side code, Side accepted) {
        var sides = List.of(bare, inserts, pieces, code, accepted);
        warmUp(load, bare, WARM_UP_CALLS_FEW);
        warmUp(load, inserts, WARM_UP_CALLS);
        warmUp(load, pieces, WARM_UP_CALLS);
        warmUp(load, code, WARM_UP_CALLS_OF_CODE);
        warmUp(load, accepted, WARM_UP_CALLS_FEW);
        var comparison = new BenchComparison(
                load, sides, new BenchComparison.Rounds(plan.rounds(), plan.round(), plan.repeats()), report);
        comparison.measure();
        comparison.table(List.of(bare, inserts));
        report.say(
                "machine class: the bare server answers %.0f/s at 64, %.0f/s at 16 and %.0f/s at 1 connection, %.1f us of processor"
                        + " time a call, %d processors",
                bare.rate(64),
                bare.rate(16),
                bare.rate(1),
                bare.microsPerCall(CONNECTIONS),
                Runtime.getRuntime().availableProcessors());
        sides.forEach(side -> report.say("refused by %s: %d", side.name(), side.refused()));
        for (var connections : BenchComparison.CONNECTIONS) {
            report.judge(
                    "the flow against grouped inserts, %d connections".formatted(connections),
                    100 * pieces.rate(connections) / inserts.rate(connections),
                    "%",
                    connections == CONNECTIONS ? 60 : 65,
                    true);
        }
        report.judge("p99 of the flow at 64", pieces.median(CONNECTIONS, LoadFigures::p99Ms), "ms", 12, false);
        report.judge("processor time of a call of it", pieces.microsPerCall(CONNECTIONS), "us", 60, false);
        report.judge("calls of a code step at 16", code.rate(16), "/s", 4000, true);
        report.judge("median of a code step at 1", code.median(1, LoadFigures::medianMs), "ms", 1.5, false);
        report.judge("processor time of a code step's call", code.microsPerCall(CONNECTIONS), "us", 250, false);
    }

    /** A caller of another project, while code of two projects loops endlessly and fills its memory. */
    private void besideBombs(ServerProcess server, LoadGenerator load, PublishedFlow published, Target sync) {
        var times = new ArrayList<Double>();
        for (var round = 0; round < plan.rounds(); round++) {
            var quietMs = load.run(sync, 1, plan.round()).p99Ms();
            try (var bombs = Bombs.start(server, published, Bombs.OF_WORKERS)) {
                var besideMs = load.run(sync, 1, plan.round()).p99Ms();
                report.say(
                        "  round %d: p99 %.2f ms quiet, %.2f beside two bombs, of which %d ended",
                        round + 1, quietMs, besideMs, bombs.ended());
                times.add(besideMs / quietMs);
            }
        }
        report.judge(
                "p99 beside two bombs against quiet",
                times.stream().sorted().toList().get(times.size() / 2),
                "times",
                3,
                false);
    }

    private static Target call(int port, PublishedFlow published, String kind) {
        return Target.post(port, "/api/v1/webhooks/" + published.flowId() + kind, ORDER);
    }

    private ServerProcess start(Map<String, String> settings) {
        return ServerProcess.start(List.of(program.toString()), directory, settings);
    }

    private static ServerProcess limit(Class<?> mainClass, Path directory, String... arguments) {
        return ServerProcess.start(command(mainClass.getName(), arguments), directory, Map.of());
    }

    /** Command that starts a main class of the tests, with the same compiler options as the server. */
    static List<String> command(String mainClass, String... arguments) {
        var command = new ArrayList<>(List.of(
                ServerProcess.java(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    private static void stop(ServerProcess server) {
        server.terminate();
        server.exitStatus(START_DEADLINE);
    }

    private static JsonNode order() {
        return Json.trusted(ORDER);
    }
}
