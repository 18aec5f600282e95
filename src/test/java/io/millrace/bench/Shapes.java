package io.millrace.bench;

import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static io.millrace.support.FlowScript.xs;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.pool.CodeRunner;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.share.ProcessShares;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Growth of a call's cost with the flow and the event: steps, items of a loop, bytes of the payload, code. */
final class Shapes {
    private static final int CONNECTIONS = 16;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final List<Integer> STEPS = List.of(5, 10, 20, 50);
    private static final List<Integer> KILOBYTES = List.of(1, 10, 100, 1_000);
    private static final int LOOP_ITEMS = 10_000;
    private static final int CODE_STEPS = 200;

    /** Until then the JVMs of two workers are still compiling. */
    private static final int CODE_CALLS_UNTIL_WARM = 15_000;

    private static final Duration CODE_WARM_UP = Duration.ofSeconds(25);
    private static final CodeLimits CODE_LIMITS = new CodeLimits(10_000, 10_000, 1 << 20);
    private static final long CODE_MEMORY_BYTES = 64L << 20;

    private final ServerProcess server;
    private final int port;
    private final LoadGenerator load;
    private final ApiClient api;
    private final Path directory;
    private final Duration round;

    Shapes(ServerProcess server, int port, LoadGenerator load, ApiClient api, Path directory, Duration round) {
        this.server = server;
        this.port = port;
        this.load = load;
        this.api = api;
        this.directory = directory;
        this.round = round;
    }

    void measure(BenchReport report) {
        longFlows(report);
        loop(report);
        payloads(report);
        code(report);
    }

    private void longFlows(BenchReport report) {
        var targets = STEPS.stream().map(count -> call(pure(count), "{}")).toList();
        load.run(targets.getLast(), CONNECTIONS, WARM_UP.multipliedBy(3));
        var costs = targets.stream().map(this::processorMicros).toList();
        report.plot(new Plot(
                "Processor time of a call of a long flow",
                "us, by pure steps",
                STEPS.stream().map(Object::toString).toList(),
                List.of(new Plot.Line("flow", costs))));
        report.judge("processor time of a pure step, from 5 to 20 steps", slope(costs, 0, 2), "us", 30, false);
        report.judge("processor time of a pure step, from 20 to 50 steps", slope(costs, 2, 3), "us", 30, false);
    }

    private static double slope(List<Double> costs, int from, int to) {
        return (costs.get(to) - costs.get(from)) / (STEPS.get(to) - STEPS.get(from));
    }

    private static FlowScript pure(int count) {
        var flow = webhook();
        for (var step = 1; step < count; step++) {
            var source = step == 1 ? "trigger.output.body" : "step_" + (step - 1) + ".output";
            flow = flow.map("step_" + step, "{'customer':'{{" + source + ".customer}}','place':" + step + "}");
        }
        return flow.returnJson("step_" + count, "{'done':true}");
    }

    private void loop(BenchReport report) {
        var target = loop();
        load.run(target, 1, WARM_UP);
        var figures = load.run(target, 1, round);
        report.judge("loop of 10,000 items with a pure step, median", figures.medianMs() / 1000, "s", 2, false);
    }

    /** Repeats one loop in a server with a small heap; returns the share of answered calls. */
    void loopInSmallHeap(int heapMegabytes, BenchReport report) {
        var figures = load.run(loop(), 1, round);
        var answered = figures.answered();
        report.judge(
                "of %d loops of 10,000 items, answered in a heap of %d MB"
                        .formatted(answered + figures.refused(), heapMegabytes),
                100.0 * answered / (answered + figures.refused()),
                "%",
                100,
                true);
    }

    private Target loop() {
        var items = xs(LOOP_ITEMS);
        return call(
                webhook()
                        .eachX("step_1", steps().map("step_2", "{'v':'{{step_1.output.item}}'}"))
                        .returnJson("step_3", "{'done':true}"),
                Json.text(items));
    }

    private void payloads(BenchReport report) {
        var flow = webhook()
                .map("step_1", "{'name':'{{trigger.output.body.name}}'}")
                .map("step_2", "{'name':'{{step_1.output.name}}'}")
                .returnJson("step_3", "{'name':'{{step_2.output.name}}'}");
        var costs = KILOBYTES.stream()
                .map(kilobytes -> processorMicros(call(flow, event(kilobytes)), 2))
                .toList();
        report.plot(new Plot(
                "Processor time of a call with a large event",
                "us, by KB of the event",
                KILOBYTES.stream().map(Object::toString).toList(),
                List.of(new Plot.Line("flow of four steps", costs))));
        report.judge("cost of 100 KB against 1 KB", costs.get(2) / costs.get(0), "times", 100, false);
        report.judge("cost of 1 MB against 100 KB", costs.get(3) / costs.get(2), "times", 10, false);
    }

    private static String event(int kilobytes) {
        var event = Json.object().put("name", "Ada");
        var rows = event.putArray("rows");
        for (var row = 0; row < kilobytes * 10; row++) {
            rows.addObject().put("id", row).put("text", "x".repeat(60)).put("price", row / 4.0);
        }
        return Json.text(event);
    }

    private void code(BenchReport report) {
        var items = xs(CODE_STEPS);
        var target = call(
                webhook()
                        .eachX(
                                "step_1",
                                steps().code(
                                                "step_2",
                                                "export const code = async (inputs) => inputs.v + 1;",
                                                "{'v':'{{step_1.output.item}}'}"))
                        .returnJson("step_3", "{'done':true}"),
                Json.text(items));
        load.run(target, 1, CODE_WARM_UP);
        var median = load.run(target, 1, round).medianMs();
        report.judge("a tiny code step and the commit behind it", median / CODE_STEPS, "ms", 2, false);
        codeAlone(report);
    }

    /** Sequential calls through the worker pool of the server, without runs. */
    private void codeAlone(BenchReport report) {
        var vertx = Vertx.vertx();
        var runner = new CodeRunner(
                vertx,
                CodeSettings.forHost(
                        directory.resolve("code"),
                        CODE_MEMORY_BYTES,
                        new ProcessShares(2, 4),
                        new Isolation(Isolation.Settings.of(directory.resolve("isolation"))),
                        BackoffSettings.OFF));
        var program = new CodeProgram(
                CodeProgram.Form.COMMON_JS,
                "exports.code = async (inputs) => inputs.v + 1;",
                Optional.empty(),
                List.of());
        var step = new CodeCall("bench", program, Json.object().put("v", 1), CODE_LIMITS);
        var histogram = LoadFigures.histogram();
        for (var call = 0; call < CODE_CALLS_UNTIL_WARM; call++) {
            runner.run(step).result().await();
        }
        var end = System.nanoTime() + round.toNanos();
        while (System.nanoTime() < end) {
            var begun = System.nanoTime();
            runner.run(step).result().await();
            histogram.recordValue((System.nanoTime() - begun) / 1000);
        }
        runner.close().compose(_ -> vertx.close()).await();
        report.judge("a tiny code step alone, warm", histogram.getValueAtPercentile(50) / 1000.0, "ms", 1, false);
    }

    private Target call(FlowScript flow, String event) {
        JsonNode operation = flow.importOperation("Bench").path("request");
        var published = PublishedFlow.create(api, operation);
        return Target.post(port, "/api/v1/webhooks/" + published.flowId() + "/sync", event);
    }

    private double processorMicros(Target target) {
        return processorMicros(target, CONNECTIONS);
    }

    /** The minimum of three, because other load of the machine only adds to it. */
    private double processorMicros(Target target, int connections) {
        load.run(target, connections, WARM_UP);
        var costs = new double[3];
        for (var attempt = 0; attempt < costs.length; attempt++) {
            var before = ProcessorTime.of(server);
            var figures = load.run(target, connections, round);
            costs[attempt] = ProcessorTime.of(server).since(before).microsPerCall(figures.answered());
        }
        return Arrays.stream(costs).min().orElseThrow();
    }
}
