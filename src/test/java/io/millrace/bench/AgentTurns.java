package io.millrace.bench;

import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.outside.ModelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Cost of an agent's turn without its model: a caller waits for a flow whose agent calls a tool at every turn, and the
 * fake model responds immediately. The time of the fake model is subtracted; everything else has its default.
 */
final class AgentTurns {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);

    /** Both kinds of runs include the first turn, and the setup of a run. */
    private static final int TURNS = 41;

    /** A project may start 60 runs per minute. */
    private static final int RUNS = 25;

    private static final int WARM_UP_PROJECTS = 2;

    private static final Map<String, String> SETTINGS =
            Map.of("AP_LOG_SAMPLE_RATE_INFO", "0", "AP_SSRF_ALLOW_LIST", "127.0.0.1");

    private final ServerProcess server;
    private final ModelServer model;
    private final BenchReport report;

    private AgentTurns(ServerProcess server, ModelServer model, BenchReport report) {
        this.server = server;
        this.model = model;
        this.report = report;
    }

    /** Measures a packaged server. */
    static void measure(Path program, BenchReport report) {
        measure(List.of(program.toString()), report);
    }

    /** Measures the server that a command starts. */
    static void measure(List<String> command, BenchReport report) {
        try (var directory = DataDirectory.create();
                var model = ModelServer.start();
                var server = ServerProcess.start(command, directory.path(), SETTINGS)) {
            new AgentTurns(server, model, report).measure();
            server.terminate();
            server.exitStatus(START_DEADLINE);
        }
    }

    private void measure() {
        var first = PublishedFlow.create(server.api(START_DEADLINE), agent());
        model.serve(first.api());
        model.otherwise(AgentTurns::answer);
        runs(first, TURNS);
        for (var project = 1; project < WARM_UP_PROJECTS; project++) {
            runs(first.inProjectOfItsOwn(agent()), TURNS);
        }
        var measured = first.inProjectOfItsOwn(agent());
        var whole = runs(measured, TURNS);
        var single = runs(measured, 1);
        var turns = TURNS - 1;
        report.say("a flow whose agent answers at once: %.1f ms", single.ms());
        report.say(
                "the same with %d turns more, a tool in each: %.1f ms; processor time of a turn %s",
                turns, whole.ms(), whole.processor().perCall((long) RUNS * TURNS));
        var turn = (whole.ms() - single.ms()) / turns;
        report.judge("a turn of an agent with a tool, without its model", turn, "ms", 5, false);
    }

    /** Importable flow: an agent with a tool, and a response to the caller. */
    private static JsonNode agent() {
        var input =
                Json.object().put("prompt", "{{trigger.output.body.prompt}}").put("maxSteps", 50);
        input.putObject("aiProviderModel").put("provider", "custom").put("model", "mill-1");
        var tool = input.putArray("agentTools").addObject().put("type", "PIECE").put("toolName", "add");
        tool.putObject("pieceMetadata")
                .put("pieceName", "@activepieces/piece-math-helper")
                .put("pieceVersion", "0.0.24")
                .put("actionName", "addition_math");
        return webhook()
                .piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", input)
                .returnJson("step_2", "{'status':'{{step_1.output.status}}'}")
                .importOperation("Agent")
                .path("request");
    }

    /** Requests a tool call until the number of calls in the prompt is reached. */
    private static ModelServer.Reply answer(JsonNode question) {
        var messages = question.path("messages");
        var wanted = Integer.parseInt(messages.path(0).path("content").asText());
        var had = messages.size() / 2;
        return had + 1 < wanted
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(),
                        "{'first_number':" + had + ",'second_number':1}")
                : ModelServer.text("Done.");
    }

    /** Duration of a run, without the model. */
    private record Took(double ms, ProcessorTime processor) {}

    private Took runs(PublishedFlow flow, int turns) {
        var times = new ArrayList<Double>();
        var before = ProcessorTime.of(server);
        for (var run = 0; run < RUNS; run++) {
            var asked = model.spentNanos();
            var begun = System.nanoTime();
            check(flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", order(turns)));
            times.add((System.nanoTime() - begun - (model.spentNanos() - asked)) / 1e6);
        }
        times.sort(null);
        return new Took(times.get(times.size() / 2), ProcessorTime.of(server).since(before));
    }

    private static ObjectNode order(int turns) {
        return Json.object().put("prompt", Integer.toString(turns));
    }

    private static void check(ApiClient.Answer answer) {
        if (!answer.text("/status").equals("COMPLETED")) {
            throw new AssertionError("expected an agent that has completed, found " + answer);
        }
    }
}
