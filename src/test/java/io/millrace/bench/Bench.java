package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.Load.Target;
import io.millrace.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * Measures the packaged server against {@link BareServer} and prints what it found. The two are under load in turn, so
 * that what else the machine does meets both alike; each figure is the median of the rounds.
 */
final class Bench {
    private static final int CONNECTIONS = 64;
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final String ORDER = "{\"customer\":\"Ada\",\"quantity\":3,\"price\":19.5}";

    private static final List<String> BOMBS = List.of(
            "export const code = async () => { while (true) {} };",
            "export const code = async () => { const held = []; while (true) held.push(new Array(10000).fill(1)); };");

    /** Request lines would measure the terminal; everything else is as delivered, durability above all. */
    private static final Map<String, String> SETTINGS = Map.of("AP_LOG_SAMPLE_RATE_INFO", "0");

    private final Path program;
    private final JsonNode flow;
    private final Path directory;
    private final Plan plan;
    private final PrintStream out;

    private Bench(Path program, JsonNode flow, Path directory, Plan plan, PrintStream out) {
        this.program = program;
        this.flow = flow;
        this.directory = directory;
        this.plan = plan;
        this.out = out;
    }

    /** How long it is measured. */
    private record Plan(Duration warmUp, int rounds, Duration round) {
        static final Plan WHOLE = new Plan(Duration.ofSeconds(40), 5, Duration.ofSeconds(5));
        static final Plan QUICK = new Plan(Duration.ofSeconds(20), 3, Duration.ofSeconds(4));
    }

    /** Expects the packaged server, the file of the flow, and perhaps {@code --quick}. */
    public static void main(String[] arguments) throws IOException {
        var quick = arguments.length > 2 && arguments[2].equals("--quick");
        var directory = DataDirectory.create();
        try {
            new Bench(
                            Path.of(arguments[0]),
                            Json.parse(Files.readString(Path.of(arguments[1]))),
                            directory.path(),
                            quick ? Plan.QUICK : Plan.WHOLE,
                            System.out)
                    .measure();
        } finally {
            directory.close();
        }
    }

    private void measure() {
        out.printf(
                Locale.ROOT,
                "%d processors, JDK %s, %d connections, median of %d rounds of %d s%n",
                cores(),
                Runtime.version(),
                CONNECTIONS,
                plan.rounds(),
                plan.round().toSeconds());
        PublishedFlow published;
        try (var server = start()) {
            published = PublishedFlow.create(server.api(START_DEADLINE), flow);
            stop(server);
        }
        coldStart(published);
        try (var server = start();
                var load = new Load()) {
            underLoad(server, load, published);
            stop(server);
        }
    }

    private void coldStart(PublishedFlow published) {
        var starts = new ArrayList<Double>();
        for (var round = 0; round < 3; round++) {
            var begun = System.nanoTime();
            try (var server = start()) {
                var api = server.api(START_DEADLINE);
                while (api.get("/v1/health").status() != 200) {
                    pause(Duration.ofMillis(5));
                }
                starts.add((System.nanoTime() - begun) / 1e9);
                if (round == 2) {
                    pause(SETTLING);
                    judge("idle memory of all processes", (double) Memory.megabytes(server), "MB", 350, false);
                    published.at(api).api().post("/v1/webhooks/" + published.flowId() + "/sync", order());
                }
                stop(server);
            }
        }
        judge("cold start to a healthy answer", median(starts, Double::doubleValue), "s", 3, false);
    }

    private void underLoad(ServerProcess server, Load load, PublishedFlow published) {
        var port = server.port(START_DEADLINE);
        var sync = Target.post(port, "/api/v1/webhooks/" + published.flowId() + "/sync", ORDER);
        var async = Target.post(port, "/api/v1/webhooks/" + published.flowId(), ORDER);
        var answer = server.api(START_DEADLINE).post("/v1/webhooks/" + published.flowId() + "/sync", order());
        out.printf(Locale.ROOT, "the flow answers %d %s%n", answer.status(), answer.body());
        try (var bareServer = bareServer(answer.body())) {
            var bare = Target.post(bareServer.port(START_DEADLINE), "/", ORDER);
            load.run(sync, CONNECTIONS, plan.warmUp());
            load.run(bare, CONNECTIONS, plan.warmUp().dividedBy(3));
            compare(load, new Side(server, sync), new Side(bareServer, bare));
        }
        var alone = rounds(load, sync, 1);
        out.printf(
                Locale.ROOT,
                "one connection: p50 %.2f ms, p99 %.2f ms%n",
                median(alone, Figures::medianMs),
                median(alone, Figures::p99Ms));
        load.run(async, CONNECTIONS, plan.warmUp().dividedBy(3));
        var accepted = rounds(load, async, CONNECTIONS);
        out.printf(
                Locale.ROOT,
                "asynchronous webhooks accepted: %.0f/s, p99 %.1f ms, refused %d%n",
                median(accepted, Figures::throughput),
                median(accepted, Figures::p99Ms),
                refused(accepted));
        out.printf(Locale.ROOT, "memory of all processes right after the load: %d MB%n", Memory.megabytes(server));
        new Shapes(server, port, load, server.api(START_DEADLINE), plan.round()).measure(this::judge);
        besideBombs(server, load, sync);
    }

    /** The same caller, while code of the same project loops without end and more of it fills its memory. */
    private void besideBombs(ServerProcess server, Load load, Target sync) {
        for (var bomb : BOMBS) {
            var script = FlowScript.webhook().code("step_1", bomb).importOperation("Bomb");
            var published = PublishedFlow.create(server.api(START_DEADLINE), script.path("request"));
            published.api().post("/v1/webhooks/" + published.flowId(), order());
        }
        var beside = rounds(load, sync, 1);
        out.printf(
                Locale.ROOT,
                "one connection beside two bombs: p50 %.2f ms, p99 %.2f ms%n",
                median(beside, Figures::medianMs),
                median(beside, Figures::p99Ms));
    }

    /** One of the two that are compared: where the load goes, and what it costs there. */
    private static final class Side {
        private final ServerProcess server;
        private final Target target;
        private final List<Figures> rounds = new ArrayList<>();
        private ProcessorTime used = new ProcessorTime(Duration.ZERO, Duration.ZERO);

        Side(ServerProcess server, Target target) {
            this.server = server;
            this.target = target;
        }

        double round(Load load, Duration length) {
            var before = ProcessorTime.of(server);
            rounds.add(load.run(target, CONNECTIONS, length));
            used = used.plus(ProcessorTime.of(server).since(before));
            return rounds.getLast().throughput();
        }

        String costPerCall() {
            return used.perCall(rounds.stream()
                    .mapToLong(round -> round.latencies().getTotalCount())
                    .sum());
        }
    }

    private void compare(Load load, Side flowSide, Side bareSide) {
        for (var round = 0; round < plan.rounds(); round++) {
            var flowRound = flowSide.round(load, plan.round());
            out.printf(
                    Locale.ROOT,
                    "  round %d: flow %.0f/s, bare %.0f/s%n",
                    round + 1,
                    flowRound,
                    bareSide.round(load, plan.round()));
        }
        var ours = flowSide.rounds;
        var theirs = bareSide.rounds;
        var flowRate = median(ours, Figures::throughput);
        var bareRate = median(theirs, Figures::throughput);
        out.printf(
                Locale.ROOT,
                "synchronous flow of four steps: %.0f/s, p50 %.2f ms, refused %d%n",
                flowRate,
                median(ours, Figures::medianMs),
                refused(ours));
        out.printf(
                Locale.ROOT,
                "bare server: %.0f/s, p50 %.2f ms, p99 %.2f ms%n",
                bareRate,
                median(theirs, Figures::medianMs),
                median(theirs, Figures::p99Ms));
        out.printf(
                Locale.ROOT,
                "processor time of a call: flow %s, bare %s%n",
                flowSide.costPerCall(),
                bareSide.costPerCall());
        judge("throughput of the flow against the bare server", 100 * flowRate / bareRate, "%", 10, true);
        judge("p99 of the flow", median(ours, Figures::p99Ms), "ms", 25, false);
    }

    private List<Figures> rounds(Load load, Target target, int connections) {
        var figures = new ArrayList<Figures>();
        for (var round = 0; round < plan.rounds(); round++) {
            figures.add(load.run(target, connections, plan.round()));
        }
        return figures;
    }

    private ServerProcess start() {
        return ServerProcess.start(List.of(program.toString()), directory, SETTINGS);
    }

    private ServerProcess bareServer(JsonNode answer) {
        var command = List.of(
                ServerProcess.java(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                BareServer.class.getName(),
                Json.text(answer));
        return ServerProcess.start(command, directory, Map.of());
    }

    private static void stop(ServerProcess server) {
        server.terminate();
        server.exitStatus(START_DEADLINE);
    }

    private static JsonNode order() {
        return Json.trusted(ORDER);
    }

    private static long refused(List<Figures> figures) {
        return figures.stream().mapToLong(Figures::refused).sum();
    }

    private static <T> double median(List<T> figures, ToDoubleFunction<T> value) {
        var sorted = figures.stream()
                .map(value::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .toList();
        return sorted.get(sorted.size() / 2);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static void pause(Duration length) {
        LockSupport.parkNanos(length.toNanos());
    }

    /** Prints a figure that has a bound, and whether it is kept. */
    private void judge(String name, double value, String unit, double bound, boolean atLeast) {
        var kept = atLeast ? value >= bound : value <= bound;
        out.printf(
                Locale.ROOT,
                "%s: %.2f %s (%s %.0f %s: %s)%n",
                name,
                value,
                unit,
                atLeast ? "at least" : "at most",
                bound,
                unit,
                kept ? "kept" : "MISSED");
    }
}
