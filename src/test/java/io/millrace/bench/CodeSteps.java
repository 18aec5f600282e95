package io.millrace.bench;

import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Cost of a code step in each engine, cold and warm; latency of another project beside code that uses all resources;
 * and the time of a search for pieces. All settings have their defaults.
 */
final class CodeSteps {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration ROUND = Duration.ofSeconds(4);

    /** Time after which a long attack is in a steady state. */
    private static final Duration LATER = Duration.ofSeconds(10);

    private static final Duration WARM_UP = Duration.ofSeconds(10);

    /** Time after which the prepared code worker has been started. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private static final int STARTS = 3;
    private static final int ROUNDS = 3;
    private static final int PROJECTS = 5;

    /** As typed by users: a name, parts of words, a subject, unknown words. */
    private static final List<String> SEARCHES = List.of(
            "searchQuery=slack",
            "searchQuery=send%20message&suggestionType=ACTION_AND_TRIGGER",
            "searchQuery=goo&suggestionType=ACTION_AND_TRIGGER&includeInstallable=true",
            "searchQuery=row&suggestionType=ACTION&sortBy=POPULARITY&orderBy=DESC",
            "categories=COMMUNICATION&includeInstallable=true",
            "searchQuery=nothing%20of%20the%20kind");

    private final List<String> command;
    private final Path directory;
    private final JsonNode quiet;
    private final BenchReport report;
    private final Map<Engine, PublishedFlow> flows = new LinkedHashMap<>();

    private CodeSteps(List<String> command, Path directory, JsonNode quiet, BenchReport report) {
        this.command = command;
        this.directory = directory;
        this.quiet = quiet;
        this.report = report;
    }

    /** Step for both engines; {@code Buffer} selects Node.js. */
    private enum Engine {
        WORKER(300, javaScript("inputs.q * inputs.p")),
        NODE(300, javaScript("inputs.q * inputs.p + Buffer.from('').length")),
        PYTHON(
                300,
                webhook()
                        .python(
                                "step_1",
                                "def code(inputs):\n    return {'total': inputs['q'] * inputs['p']}\n",
                                "{'q':'{{trigger.output.body.quantity}}','p':'{{trigger.output.body.price}}'}"));

        private final double firstMsMax;
        private final JsonNode flow;

        Engine(double firstMsMax, FlowScript script) {
            this.firstMsMax = firstMsMax;
            this.flow = script.returnJson("step_2", "{'total':'{{step_1.output.total}}'}")
                    .importOperation("Code")
                    .path("request");
        }

        private static FlowScript javaScript(String total) {
            return webhook()
                    .code(
                            "step_1",
                            "export const code = async (inputs) => ({ total: " + total + " });",
                            "{'q':'{{trigger.output.body.quantity}}','p':'{{trigger.output.body.price}}'}");
        }
    }

    /** Measures a packaged server. */
    static void measure(Path program, JsonNode flow, BenchReport report) {
        var directory = DataDirectory.create();
        try {
            new CodeSteps(List.of(program.toString()), directory.path(), flow, report).measure();
        } finally {
            directory.close();
        }
    }

    private void measure() {
        PublishedFlow neighbour;
        try (var server = start()) {
            neighbour = PublishedFlow.create(server.api(DEADLINE), quiet);
            for (var engine : Engine.values()) {
                flows.put(engine, neighbour.inProjectOfItsOwn(engine.flow));
            }
            stop(server);
        }
        firstCallsOfAServer();
        try (var server = start();
                var load = new LoadGenerator()) {
            var published = neighbour.at(server.api(DEADLINE));
            var port = server.port(DEADLINE);
            for (var engine : Engine.values()) {
                firstCallsOfProjects(engine, published);
                warmCalls(engine, server, load, port);
            }
            searches(load, port, published.api().token());
            besideBombs(new Street(server, load, published, call(port, published)));
            stop(server);
        }
    }

    private void firstCallsOfAServer() {
        var found = new LinkedHashMap<Engine, List<Double>>();
        for (var start = 0; start < STARTS; start++) {
            try (var server = start()) {
                var anonymous = server.api(DEADLINE);
                while (anonymous.get("/v1/health").status() != 200) {
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                }
                LockSupport.parkNanos(SETTLING.toNanos());
                flows.forEach((engine, flow) ->
                        found.computeIfAbsent(engine, _ -> new ArrayList<>()).add(callMs(flow.asked(anonymous))));
                stop(server);
            }
        }
        found.forEach((engine, times) -> report.judge(
                "first call of a code step after a start, " + engine, middle(times), "ms", engine.firstMsMax, false));
    }

    /** Measures first calls of projects without a process; workers need none. */
    private void firstCallsOfProjects(Engine engine, PublishedFlow beside) {
        var times = Stream.generate(() -> beside.inProjectOfItsOwn(engine.flow))
                .limit(PROJECTS)
                .map(CodeSteps::callMs)
                .toList();
        report.judge("first call in a project, " + engine, middle(times), "ms", engine.firstMsMax, false);
    }

    private void warmCalls(Engine engine, ServerProcess server, LoadGenerator load, int port) {
        var target = call(port, flows.get(engine));
        load.run(target, 1, WARM_UP);
        var before = ProcessorTime.of(server);
        var figures = load.run(target, 1, ROUND);
        var used = ProcessorTime.of(server).since(before).perCall(figures.answered());
        report.say("warm calls of a code step, %s: p99 %.2f ms, processor time %s", engine, figures.p99Ms(), used);
        report.judge("warm call of a code step, " + engine + ", median", figures.medianMs(), "ms", 5, false);
    }

    private void searches(LoadGenerator load, int port, String token) {
        var targets = SEARCHES.stream()
                .map(search -> Target.get(port, "/api/v1/pieces?" + search, token))
                .toList();
        load.inTurn(targets, 1, WARM_UP);
        var figures = load.inTurn(targets, 1, ROUND);
        report.say("%d searches for pieces, median %.2f ms", figures.answered(), figures.medianMs());
        report.judge("p99 of a search for pieces", figures.p99Ms(), "ms", 10, false);
    }

    /** Server with attackers and one caller of a quiet flow. */
    private record Street(ServerProcess server, LoadGenerator load, PublishedFlow quiet, Target sync) {
        double p99Ms() {
            return load.run(sync, 1, ROUND).p99Ms();
        }
    }

    private void besideBombs(Street street) {
        street.load().run(street.sync(), 1, WARM_UP);
        besideBombs("workers", Bombs.OF_WORKERS, street);
        besideBombs("Node.js", Bombs.OF_NODE, street);
        besideBombs("Python", Bombs.OF_PYTHON, street);
    }

    /** Each attack alone, then all concurrently. */
    private void besideBombs(String engine, List<Bombs.Bomb> bombs, Street street) {
        bombs.forEach(bomb -> beside(engine + ", " + bomb.name(), List.of(bomb), street, false));
        var times = Stream.iterate(1, round -> round + 1)
                .limit(ROUNDS)
                .map(round -> beside(engine + ", all", bombs, street, round == ROUNDS))
                .toList();
        report.judge("p99 beside bombs in " + engine + " against quiet", middle(times), "times", 3, false);
    }

    /**
     * Ratio of the p99 in the first seconds of an attack with new programs to the p99 without an attack.
     *
     * @param later true to measure also with known programs
     */
    private double beside(String name, List<Bombs.Bomb> kinds, Street street, boolean later) {
        var quietMs = street.p99Ms();
        try (var bombs = Bombs.start(street.server(), street.quiet(), kinds)) {
            var besideMs = street.p99Ms();
            report.say("  %s: p99 %.2f ms quiet, %.2f beside, %d calls ended", name, quietMs, besideMs, bombs.ended());
            if (later) {
                LockSupport.parkNanos(LATER.minus(ROUND).toNanos());
                report.judge(
                        "p99 beside " + name + ", from its tenth second on",
                        street.p99Ms() / quietMs,
                        "times",
                        3,
                        false);
            }
            return besideMs / quietMs;
        }
    }

    private static double callMs(PublishedFlow flow) {
        var begun = System.nanoTime();
        var answer = flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", Json.trusted(Bench.ORDER));
        var tookMs = (System.nanoTime() - begun) / 1e6;
        if (answer.body().path("total").asDouble() != 58.5) {
            throw new AssertionError("expected a total of 58.5, found " + answer);
        }
        return tookMs;
    }

    private static Target call(int port, PublishedFlow flow) {
        return Target.post(port, "/api/v1/webhooks/" + flow.flowId() + "/sync", Bench.ORDER);
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private ServerProcess start() {
        return ServerProcess.start(command, directory, Map.of());
    }

    private static void stop(ServerProcess server) {
        server.terminate();
        server.exitStatus(DEADLINE);
    }
}
