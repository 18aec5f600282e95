package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.HostilePeer;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.ToolServer;
import io.millrace.support.piece.ToolSettings;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A run of an agent with a good MCP server and one of each kind of misbehavior: each affects only itself, and the
 * record names what was left out and why. The slow one takes its deadline of 10 s.
 */
@Slow(Slow.Reason.DURATION)
final class AgentOutsideServersIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static HostilePeer peer = new HostilePeer();

    @AutoClose
    private static ToolServer good = ToolServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "60"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static AgentCaller agents = new AgentCaller(ada);

    @BeforeAll
    static void setUp() {
        model.serve(ada);
        peer.answer(AgentOutsideServersIT::misbehave);
    }

    private static void misbehave(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var message = body.length() == 0 ? Json.object() : Json.trusted(body.toString());
            if (!message.has("id")) {
                request.response().setStatusCode(202).end();
                return;
            }
            answer(request, message);
        });
    }

    private static void answer(HttpServerRequest request, JsonNode message) {
        var method = message.path("method").asText();
        var result = Json.object().put("protocolVersion", "2025-06-18");
        switch (request.path()) {
            case "/slow" -> {
                return;
            }
            case "/huge" -> result.put("instructions", "x".repeat(5 << 20));
            case "/revision" -> result.put("protocolVersion", "1999-01-01");
            case "/endless" -> {
                tool(result, "page_" + message.at("/params/cursor").asText("0"));
                result.put("nextCursor", message.at("/params/cursor").asInt() + 1 + "");
            }
            case "/odd" -> {
                tool(result, "bad").putObject("inputSchema").put("type", "string");
                tool(result, "fine");
            }
            case "/dying" -> {
                if (method.equals("tools/call")) {
                    request.connection().close();
                    return;
                }
                tool(result, "last_words");
            }
            default -> throw new IllegalArgumentException(request.path());
        }
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        answer.set("result", result);
        request.response().putHeader("Content-Type", "application/json").end(Json.text(answer));
    }

    private static ObjectNode tool(ObjectNode result, String name) {
        var tool = result.withArrayProperty("tools").addObject().put("name", name);
        tool.putObject("inputSchema").put("type", "object");
        return tool;
    }

    private static String named(JsonNode question, String part) {
        return question.path("tools")
                .valueStream()
                .map(tool -> tool.at("/function/name").asText())
                .filter(name -> name.contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected a tool " + part + " in " + question.path("tools")));
    }

    @Test
    void eachAffectsOnlyItself_andTheRecordNamesTheOmittedTools() {
        // Given
        var order = agents.order("Use them.");
        var tools = order.putArray("tools");
        tools.add(ToolSettings.server("good", good.url()));
        for (var kind : new String[] {"slow", "huge", "revision", "endless", "odd", "dying"}) {
            tools.add(ToolSettings.server(kind, peer.url() + "/" + kind));
        }
        tools.add(ToolSettings.server("gone", "http://127.0.0.1:1/mcp"));
        model.otherwise(question -> switch (question.path("messages").size()) {
            case 2 -> ModelServer.calls(named(question, "last_words"), "{}");
            case 4 -> ModelServer.calls(named(question, "good_note"), "{'n':7}", named(question, "odd_fine"), "{}");
            default -> ModelServer.text("Done.");
        });

        // When
        var run = agents.run(order);

        // Then
        var leftOut = run.at("/result/leftOut")
                .valueStream()
                .collect(Collectors.toMap(
                        one -> one.path("tool").asText(),
                        one -> one.path("reason").asText()));
        assertThat(leftOut).containsOnlyKeys("slow", "huge", "revision", "endless", "odd/bad", "gone");
        assertThat(leftOut.get("slow")).contains("could not be reached");
        assertThat(leftOut.get("huge")).contains("could not be reached");
        assertThat(leftOut.get("revision")).contains("revision 1999-01-01", "expected one of", "2025-11-25");
        assertThat(leftOut.get("endless")).contains("too many pages");
        assertThat(leftOut.get("odd/bad")).contains("is of type string");
        var system = model.questions.getFirst().at("/messages/0/content").asText();
        assertThat(leftOut.keySet()).allSatisfy(name -> assertThat(system).contains(name));
        assertThat(good.numbers()).containsExactly(7);
        assertThat(run.at("/result/steps/0/output/failed").asBoolean()).isTrue();
        assertThat(run.at("/result/steps/1/status").asText()).isEqualTo("completed");
        assertThat(run.at("/result/steps/3/markdown").asText()).as("%s", run).isEqualTo("Done.");
        assertThat(run.path("status").asText()).isEqualTo("IDLE");
    }
}
