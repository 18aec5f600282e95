package io.millrace.fault;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.ModelServer;
import io.millrace.support.Outside;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * An agent with a tool, whose server is killed again and again: what is recorded is not done again, so that a kill repeats at
 * most the one question or call that was in flight, and the flow that waits gets its result.
 */
final class AgentKillIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int KILLS = Integer.getInteger("agent.kills", 4);
    /** An agent makes 50 calls of a kind at most. */
    private static final int CALLS = Math.min(3 * KILLS, 45);

    private static final Map<String, String> SETTINGS =
            Map.of("AP_LOG_LEVEL", "warn", "AP_SSRF_ALLOW_LIST", "127.0.0.1");

    @Test
    void repeatsAtMostWhatWasInFlight() {
        var random = RandomGenerator.of("L64X128MixRandom");
        try (var directory = DataDirectory.create();
                var outside = Outside.start();
                var model = ModelServer.start()) {
            model.otherwise(question -> answer(question, outside));
            var server = ServerProcess.ofClasses(directory.path(), SETTINGS);
            var flow = PublishedFlow.create(server.api(DEADLINE), script().path("request"));
            model.serve(flow.api());
            flow.api().post("/v1/webhooks/" + flow.flowId(), json("{}"));

            // When
            for (var kill = 1; kill <= KILLS; kill++) {
                var wanted = kill * CALLS / (KILLS + 1) + random.nextInt(2);
                outside.awaitCalls(wanted);
                server.kill();
                server.exitStatus(DEADLINE);
                Waiting.until(
                        "PostgreSQL ends with its server",
                        () -> directory.postmaster().isEmpty());
                server.close();
                server = ServerProcess.ofClasses(directory.path(), SETTINGS);
                server.api(DEADLINE);
            }

            // Then
            try (var last = server) {
                var run = ended(flow.at(last.api(DEADLINE)));
                assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
                assertThat(run.at("/steps/step_1/output/steps").size()).isEqualTo(CALLS + 1);
                assertThat(repeated(outside) + repeatedQuestions(model)).isLessThanOrEqualTo(KILLS);
                assertThat(outside.paths()).hasSizeGreaterThanOrEqualTo(CALLS);
            }
        }
    }

    private static JsonNode script() {
        var tool = Json.object().put("type", "PIECE").put("toolName", "call");
        var metadata = tool.putObject("pieceMetadata")
                .put("pieceName", "@activepieces/piece-http")
                .put("pieceVersion", "0.11.13")
                .put("actionName", "send_request");
        var fields = metadata.putObject("predefinedInput").putObject("fields");
        Map.of(
                        "method", "'POST'",
                        "headers", "{}",
                        "queryParams", "{}",
                        "authType", "'NONE'",
                        "authFields", "{}",
                        "body_type", "'none'")
                .forEach((name, value) ->
                        fields.putObject(name).put("mode", "choose-yourself").set("value", json(value)));
        var input = Json.object().put("prompt", "Call them all.").put("maxSteps", 50);
        input.putArray("agentTools").add(tool);
        return webhook()
                .piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", input)
                .importOperation("Mill");
    }

    /** Calls one address after the other, and then says that it is done. */
    private static ModelServer.Reply answer(JsonNode question, Outside outside) {
        var done = question.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .count();
        return done < CALLS
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(),
                        "{'url':'" + outside.url("/call/" + done) + "'}")
                : ModelServer.text("All called.");
    }

    private static JsonNode ended(PublishedFlow flow) {
        Waiting.until(
                "the flow has run",
                Duration.ofSeconds(90),
                () -> flow.runs().stream()
                        .anyMatch(run -> !run.path("status").asText().matches("QUEUED|RUNNING|PAUSED")));
        return flow.api()
                .get("/v1/flow-runs/" + flow.runs().getFirst().path("id").asText())
                .body();
    }

    private static int repeated(Outside outside) {
        return outside.paths().size()
                - (int) outside.paths().stream().distinct().count();
    }

    private static int repeatedQuestions(ModelServer model) {
        var byLength = new HashMap<Integer, Integer>();
        model.questions.forEach(
                question -> byLength.merge(question.path("messages").size(), 1, Integer::sum));
        return byLength.values().stream().mapToInt(count -> count - 1).sum();
    }
}
