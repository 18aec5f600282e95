package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.bench.Load.Target;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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

    private static final int SMALL_HEAP_MEGABYTES = 128;

    /** Request lines would measure the terminal; everything else is as delivered, durability above all. */
    private static final Map<String, String> SETTINGS = Map.of("AP_LOG_SAMPLE_RATE_INFO", "0");

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

    /** How long it is measured. */
    private record Plan(Duration warmUp, int rounds, Duration round, boolean ladders) {
        static final Plan WHOLE = new Plan(Duration.ofSeconds(40), 5, Duration.ofSeconds(5), false);
        static final Plan REPORT = new Plan(Duration.ofSeconds(40), 5, Duration.ofSeconds(5), true);
        static final Plan QUICK = new Plan(Duration.ofSeconds(20), 3, Duration.ofSeconds(4), false);
    }

    /**
     * Expects the packaged server, the file of the flow, and perhaps {@code --quick}, {@code --admin}, or {@code --report}
     * and a file.
     */
    public static void main(String[] arguments) throws IOException {
        var report = new BenchReport(System.out);
        if (arguments.length > 2 && arguments[2].equals("--admin")) {
            Administration.measure(Path.of(arguments[0]), Json.parse(Files.readString(Path.of(arguments[1]))), report);
            return;
        }
        var plan = arguments.length > 2
                ? switch (arguments[2]) {
                    case "--quick" -> Plan.QUICK;
                    case "--report" -> Plan.REPORT;
                    default ->
                        throw new IllegalArgumentException(
                                "expected --quick, --admin or --report, found " + arguments[2]);
                }
                : Plan.WHOLE;
        var directory = DataDirectory.create();
        try {
            var flow = Json.parse(Files.readString(Path.of(arguments[1])));
            new Bench(Path.of(arguments[0]), flow, directory.path(), plan, report).measure();
        } finally {
            directory.close();
        }
        if (plan.ladders()) {
            report.write(Path.of(arguments[3]));
        }
    }

    private void measure() {
        report.say(
                "%d processors, JDK %s, %d connections, median of %d rounds of %d s",
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
        inSmallHeap();
    }

    /** What lives beside a run takes some 28 MB, so that 100 are left. */
    private void inSmallHeap() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("MILLRACE_JAVA_OPTIONS", "-Xmx" + SMALL_HEAP_MEGABYTES + "m");
        try (var server = ServerProcess.start(List.of(program.toString()), directory, settings);
                var load = new Load()) {
            new Shapes(server, server.port(START_DEADLINE), load, server.api(START_DEADLINE), directory, plan.round())
                    .loopInSmallHeap(SMALL_HEAP_MEGABYTES, report);
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
                    report.judge("idle memory of all processes", (double) Memory.megabytes(server), "MB", 256, false);
                    published.at(api).api().post("/v1/webhooks/" + published.flowId() + "/sync", order());
                }
                stop(server);
            }
        }
        report.judge("cold start to a healthy answer", median(starts, Double::doubleValue), "s", 1.5, false);
    }

    private void underLoad(ServerProcess server, Load load, PublishedFlow published) {
        var port = server.port(START_DEADLINE);
        var sync = Target.post(port, "/api/v1/webhooks/" + published.flowId() + "/sync", ORDER);
        var async = Target.post(port, "/api/v1/webhooks/" + published.flowId(), ORDER);
        var answer = server.api(START_DEADLINE).post("/v1/webhooks/" + published.flowId() + "/sync", order());
        report.say("the flow answers %d %s", answer.status(), answer.body());
        try (var bareServer = bareServer(answer.body())) {
            var bare = Target.post(bareServer.port(START_DEADLINE), "/", ORDER);
            load.run(sync, CONNECTIONS, plan.warmUp());
            load.run(bare, CONNECTIONS, plan.warmUp().dividedBy(3));
            compare(load, new Side(server, sync), new Side(bareServer, bare));
            if (plan.ladders()) {
                load.run(async, CONNECTIONS, plan.warmUp().dividedBy(3));
                new Ladder(load, plan.round(), report)
                        .measure(List.of(
                                new Ladder.Kind("synchronous calls", sync),
                                new Ladder.Kind("asynchronous calls", async),
                                new Ladder.Kind("the bare server", bare)));
            }
        }
        var alone = rounds(load, sync, 1);
        report.say(
                "one connection: p50 %.2f ms, p99 %.2f ms",
                median(alone, Figures::medianMs), median(alone, Figures::p99Ms));
        load.run(async, CONNECTIONS, plan.warmUp().dividedBy(3));
        var accepted = rounds(load, async, CONNECTIONS);
        report.say(
                "asynchronous webhooks accepted: %.0f/s, p99 %.1f ms, refused %d",
                median(accepted, Figures::throughput), median(accepted, Figures::p99Ms), refused(accepted));
        report.say("memory of all processes right after the load: %d MB", Memory.megabytes(server));
        new Shapes(server, port, load, server.api(START_DEADLINE), directory, plan.round()).measure(report);
        besideBombs(server, load, published, sync, median(alone, Figures::p99Ms));
        if (plan.ladders()) {
            new Endurance(server, load, report).measure(async);
        }
    }

    /** The same caller, while code of two other projects loops without end and fills its memory. */
    private void besideBombs(ServerProcess server, Load load, PublishedFlow published, Target sync, double quietMs) {
        List<Figures> beside;
        try (var bombs = Bombs.start(published.at(server.api(START_DEADLINE)))) {
            beside = rounds(load, sync, 1);
            report.say("calls of bombs that ended meanwhile: %d", bombs.ended());
        }
        report.say(
                "one connection beside two bombs: p50 %.2f ms, p99 %.2f ms",
                median(beside, Figures::medianMs), median(beside, Figures::p99Ms));
        report.judge("p99 beside two bombs against quiet", median(beside, Figures::p99Ms) / quietMs, "times", 3, false);
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
            return used.perCall(
                    rounds.stream().mapToLong(round -> round.answered()).sum());
        }
    }

    private void compare(Load load, Side flowSide, Side bareSide) {
        for (var round = 0; round < plan.rounds(); round++) {
            var flowRound = flowSide.round(load, plan.round());
            report.say(
                    "  round %d: flow %.0f/s, bare %.0f/s", round + 1, flowRound, bareSide.round(load, plan.round()));
        }
        var ours = flowSide.rounds;
        var theirs = bareSide.rounds;
        var flowRate = median(ours, Figures::throughput);
        var bareRate = median(theirs, Figures::throughput);
        report.say(
                "synchronous flow of four steps: %.0f/s, p50 %.2f ms, refused %d",
                flowRate, median(ours, Figures::medianMs), refused(ours));
        report.say(
                "bare server: %.0f/s, p50 %.2f ms, p99 %.2f ms",
                bareRate, median(theirs, Figures::medianMs), median(theirs, Figures::p99Ms));
        report.say("processor time of a call: flow %s, bare %s", flowSide.costPerCall(), bareSide.costPerCall());
        report.judge("throughput of the flow against the bare server", 100 * flowRate / bareRate, "%", 25, true);
        report.judge("p99 of the flow", median(ours, Figures::p99Ms), "ms", 15, false);
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
}
