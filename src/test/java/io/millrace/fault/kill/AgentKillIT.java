package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.Outside;
import io.millrace.support.outside.ToolServer;
import io.millrace.support.piece.ToolSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Agent with a piece, a flow and an MCP server as its tools, whose server is killed repeatedly: recorded turns are not
 * repeated, so a kill repeats at most the one model request or tool call in flight, and the waiting flow gets its
 * result.
 */
@Slow(Slow.Reason.FAULT)
final class AgentKillIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int KILLS = Integer.getInteger("agent.kills", 4);
    private static final int TOOLS = 3;

    /** An agent has at most 50 turns. */
    private static final int CALLS = Math.min(3 * KILLS, 45);

    private static final Map<String, String> SETTINGS =
            Map.of("AP_LOG_LEVEL", "warn", "AP_SSRF_ALLOW_LIST", "127.0.0.1");

    @Test
    void repeatsAtMostWhatWasInFlight() {
        var random = RandomGenerator.of("L64X128MixRandom");
        try (var directory = DataDirectory.prepared();
                var outside = Outside.start();
                var notes = ToolServer.start();
                var model = ModelServer.start()) {
            model.otherwise(question -> answer(question, outside));
            var server = ServerProcess.ofClasses(directory.path(), SETTINGS);
            var tool = PublishedFlow.create(server.api(DEADLINE), tool(outside));
            model.serve(tool.api());
            var flow = tool.beside(agent(tool.externalId(), notes));
            flow.api().post("/v1/webhooks/" + flow.flowId(), json("{}"));

            // When
            for (var kill = 1; kill <= KILLS; kill++) {
                var wanted = kill * CALLS / (KILLS + 1) + random.nextInt(2);
                Waiting.until(
                        wanted + " calls",
                        () -> outside.paths().size() + notes.numbers().size() >= wanted);
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
                assertThat(run.at("/steps/step_1/output/status").asText())
                        .as(run.toString())
                        .isEqualTo("COMPLETED");
                assertThat(run.at("/steps/step_1/output/steps").size()).isEqualTo(CALLS + 1);
                assertThat(repeated(outside.paths()) + repeated(notes.numbers()) + repeatedQuestions(model))
                        .isLessThanOrEqualTo(KILLS);
                assertThat(outside.paths().size() + notes.numbers().size()).isGreaterThanOrEqualTo(CALLS);
                assertThat(notes.numbers()).contains(2);
            }
        }
    }

    /** Flow that is a tool: it calls an address with the given number, and answers. */
    private static JsonNode tool(Outside outside) {
        return FlowScript.trigger("@activepieces/piece-mcp", "0.1.0", "mcp_tool", """
                        {'toolName':'call it','toolDescription':'Calls.','returnsResponse':true,
                         'inputSchema':[{'name':'n','type':'Number','required':true}]}
                        """)
                .http("step_1", "POST", outside.url("/call/{{trigger.output.n}}"))
                .piece(
                        "step_2",
                        "@activepieces/piece-mcp",
                        "0.1.0",
                        "reply_to_mcp_client",
                        json("{'mode':'advanced','response':{'response':{'called':'{{trigger.output.n}}'}}}"))
                .importOperation("Tool")
                .path("request");
    }

    private static JsonNode agent(String toolFlow, ToolServer notes) {
        var input = Json.object().put("prompt", "Call them all.").put("maxSteps", 50);
        var tools = input.putArray("agentTools");
        tools.add(ToolSettings.call("piece", "POST"));
        tools.addObject().put("type", "FLOW").put("toolName", "flow").put("externalFlowId", toolFlow);
        tools.add(ToolSettings.server("notes", notes.url()));
        return webhook()
                .piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", input)
                .importOperation("Mill")
                .path("request");
    }

    /** Calls the three tools in turn, and then reports completion. */
    private static ModelServer.Reply answer(JsonNode question, Outside outside) {
        var done = (int) question.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .count();
        var name = question.at("/tools/" + done % TOOLS + "/function/name").asText();
        return done < CALLS
                ? ModelServer.calls(
                        name,
                        done % TOOLS == 0 ? "{'url':'" + outside.url("/call/" + done) + "'}" : "{'n':" + done + "}")
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

    private static int repeated(List<?> calls) {
        return calls.size() - (int) calls.stream().distinct().count();
    }

    private static int repeatedQuestions(ModelServer model) {
        var byLength = new HashMap<Integer, Integer>();
        model.questions.forEach(
                question -> byLength.merge(question.path("messages").size(), 1, Integer::sum));
        return byLength.values().stream().mapToInt(count -> count - 1).sum();
    }
}
