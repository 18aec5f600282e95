package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.ToolServer;
import io.millrace.support.piece.ToolSettings;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tools that agents call during a run: pieces, flows, MCP servers, the web and tables (contract agents 3.3, 5). */
class AgentToolsIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "60"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static AgentCaller agents = new AgentCaller(ada);

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static ObjectNode addingTwo(String toolName) {
        return ToolSettings.choosing(ToolSettings.addition(toolName), "second_number", IntNode.valueOf(2));
    }

    @Test
    void callsAPiece_withWhatTheAuthorChoseAndWhatTheModelWrote() {
        // given
        var order = agents.order("Add two to five.");
        order.putArray("tools").add(addingTwo("add"));
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(), "{'first_number':5,'second_number':99}")
                : ModelServer.text("Seven."));

        // when
        var run = agents.run(order);

        // then
        var block = run.at("/result/steps/0");
        assertThat(block.path("type").asText()).isEqualTo("TOOL_CALL");
        assertThat(block.path("toolCallType").asText()).isEqualTo("PIECE");
        assertThat(block.path("output").asDouble()).as(run.toString()).isEqualTo(7);
        assertThat(block.path("status").asText()).isEqualTo("completed");
        assertThat(run.at("/result/steps/1/markdown").asText()).isEqualTo("Seven.");
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        // The model never saw the property that the author preset.
        assertThat(model.questions
                        .getFirst()
                        .at("/tools/0/function/parameters/properties")
                        .properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("first_number");
    }

    @Test
    void continues_whenAToolFails_andReportsIt() {
        // given
        var order = agents.order("Add.");
        order.putArray("tools").add(addingTwo("add"));
        model.then(ModelServer.calls("no_such_tool", "{}")).then(ModelServer.text("I could not."));

        // when
        var run = agents.run(order);

        // then
        assertThat(run.at("/result/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/result/steps/0/toolCallType").asText()).isEqualTo("UNKNOWN");
        assertThat(run.at("/result/steps/0/output/failed").asBoolean()).isTrue();
        assertThat(run.path("result").has("failure")).isFalse();
    }

    @Test
    void offersTheWeb_onceAnAdministratorHasSetItUp() {
        // given
        agents.run(agents.order("Search."));
        var service = Json.object().put("capability", "WEB_SEARCH").put("provider", "TAVILY");
        service.putObject("auth").put("apiKey", "tvly-key");
        var id = ada.api().post("/v1/ai-tools", service).text("/id");
        model.then(ModelServer.calls("ap_fetch_url", "{'url':'http://169.254.169.254/latest'}"))
                .then(ModelServer.text("Found."));

        // when
        var run = agents.run(agents.order("Search."));
        ada.api().delete("/v1/ai-tools/" + id);

        // then
        assertThat(model.questions.get(0).has("tools")).isFalse();
        assertThat(model.questions.get(1).at("/tools").findValuesAsText("name"))
                .containsExactly("ap_web_search", "ap_fetch_url");
        var call = run.at("/result/steps/0");
        assertThat(call.path("toolCallType").asText()).as(run.toString()).isEqualTo("UNKNOWN");
        assertThat(call.path("displayName").asText()).isEqualTo("Fetch an address");
        assertThat(call.at("/output/failed").asBoolean()).isTrue();
        assertThat(run.toString()).doesNotContain("tvly-key");
    }

    @Test
    void doesNotRepeatACall_thatFailedTwice() {
        // given
        var order = agents.order("Try.");
        order.putArray("tools").add(addingTwo("add"));
        model.otherwise(question -> question.path("messages").size() < 8
                ? ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'first_number':'{{x}}'}")
                : ModelServer.text("No."));

        // when
        var run = agents.run(order);

        // then
        assertThat(run.at("/result/steps/2/output/error").asText())
                .as(run.toString())
                .contains("not executed again");
    }

    @Test
    void callsFlowsAndServersOfMcp() {
        // given a flow that is a tool, and a server that also offers it
        var flow = LiveFlow.publish(
                ada,
                FlowScript.trigger("@activepieces/piece-mcp", "0.1.0", "mcp_tool", """
                        {'toolName':'double it','toolDescription':'Doubles a number.','returnsResponse':true,
                         'inputSchema':[{'name':'n','type':'Number','required':true}]}
                        """)
                        .piece(
                                "step_1",
                                "@activepieces/piece-mcp",
                                "0.1.0",
                                "reply_to_mcp_client",
                                json(
                                        "{'mode':'advanced','response':{'response':{'double':'{{trigger.output.n * 2}}'}}}")));
        var token = ada.api().get("/v1/mcp/" + ada.projectId()).text("/token");
        var order = agents.order("Double 4, twice.");
        var tools = order.putArray("tools");
        tools.addObject().put("type", "FLOW").put("toolName", "double").put("externalFlowId", flow.externalId());
        tools.addObject()
                .put("type", "MCP")
                .put("toolName", "house")
                .put("serverUrl", "http://127.0.0.1:" + server.port() + "/api/v1/mcp/" + ada.projectId() + "/http")
                .put("protocol", "streamable-http")
                .putObject("auth")
                .put("type", "access_token")
                .put("accessToken", token);
        model.otherwise(question -> {
            var names = question.path("tools")
                    .valueStream()
                    .map(tool -> tool.at("/function/name").asText())
                    .toList();
            return question.path("messages").size() > 2
                    ? ModelServer.text("Eight, and eight.")
                    : ModelServer.calls(
                            names.stream()
                                    .filter(name -> name.startsWith("double"))
                                    .findFirst()
                                    .orElseThrow(),
                            "{'n':4}",
                            names.stream()
                                    .filter(name -> name.contains("double_it"))
                                    .findFirst()
                                    .orElseThrow(),
                            "{'n':4}");
        });

        // when
        var run = agents.run(order);

        // then
        var steps = run.at("/result/steps");
        assertThat(steps.valueStream()
                        .map(step -> step.path("toolCallType").asText())
                        .toList())
                .as(run.toString())
                .containsExactly("FLOW", "MCP", "");
        assertThat(steps.at("/0/output/double").asInt()).as(run.toString()).isEqualTo(8);
        assertThat(steps.at("/1/output").asText()).contains("8");
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void callsThePublishedVersionOfAFlow_evenADisabledOne() {
        // given a published flow that is disabled, with a draft that differs
        var flow = LiveFlow.publish(ada, multiplying("Doubles a number.", true, "n", 2));
        flow.change(multiplying("Triples a number.", false, "m", 3));
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));

        // when
        var run = agents.run(calling(flow));

        // then
        var tool = model.questions.getFirst().at("/tools/0/function");
        assertThat(tool.path("description").asText()).isEqualTo("Doubles a number.");
        assertThat(tool.at("/parameters/properties").has("n")).isTrue();
        assertThat(run.at("/result/steps/0/output/product").asInt())
                .as(run.toString())
                .isEqualTo(8);
        assertThat(flow.runs())
                .singleElement()
                .extracting(started -> started.path("environment").asText())
                .isEqualTo("PRODUCTION");
    }

    @Test
    void callsTheDraftOfAFlow_thatWasNeverPublished() {
        // given
        var flow = LiveFlow.draft(ada, multiplying("Triples a number.", true, "n", 3));

        // when
        var run = agents.run(calling(flow));

        // then
        assertThat(run.at("/result/steps/0/output/product").asInt())
                .as(run.toString())
                .isEqualTo(12);
        assertThat(flow.runs()).as("runs in production").isEmpty();
    }

    private static FlowScript multiplying(String description, boolean waits, String input, int factor) {
        return FlowScript.trigger(
                        "@activepieces/piece-mcp", "0.1.0", "mcp_tool", """
                        {'toolName':'multiply','toolDescription':'%s','returnsResponse':%s,
                         'inputSchema':[{'name':'%s','type':'Number','required':true}]}
                        """.formatted(description, waits, input))
                .piece(
                        "step_1",
                        "@activepieces/piece-mcp",
                        "0.1.0",
                        "reply_to_mcp_client",
                        json("{'mode':'advanced','response':{'response':{'product':'{{trigger.output.%s * %d}}'}}}"
                                .formatted(input, factor)));
    }

    private static ObjectNode calling(LiveFlow flow) {
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'n':4}")
                : ModelServer.text("Done."));
        var order = agents.order("Multiply four.");
        order.putArray("tools")
                .addObject()
                .put("type", "FLOW")
                .put("toolName", "multiply")
                .put("externalFlowId", flow.externalId());
        return order;
    }

    @Test
    void callsAServerOfMcp_thatSpeaksOnlyHttpWithSse() {
        try (var notes = ToolServer.start()) {
            // given
            var order = agents.order("Note seven.");
            order.putArray("tools")
                    .add(ToolSettings.server("notes", notes.streamUrl()).put("protocol", "sse"));
            model.otherwise(question -> question.path("messages").size() < 3
                    ? ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'n':7}")
                    : ModelServer.text("Noted."));

            // when
            var run = agents.run(order);

            // then
            assertThat(run.at("/result/steps/0/output").asText())
                    .as(run.toString())
                    .isEqualTo("noted");
            assertThat(notes.numbers()).containsExactly(7);
            Waiting.until("its streams are closed", () -> notes.openStreams() == 0);
        }
    }

    @Test
    void readsATableOfItsProject_andNoOther() {
        // given
        var tableId = ada.api()
                .post("/v1/tables", json("{'projectId':'" + ada.projectId() + "','name':'Grain','fields':[]}"))
                .text("/id");
        var order = agents.order("Look.");
        order.putArray("tools")
                .addObject()
                .put("type", "KNOWLEDGE_BASE")
                .put("toolName", "grain")
                .put("sourceType", "TABLE")
                .put("sourceId", tableId)
                .put("sourceName", "Grain");
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'limit':5}")
                : ModelServer.text("Seen."));

        // when
        var run = agents.run(order);

        // then
        assertThat(run.at("/result/steps/0/output/records").isArray())
                .as(run.toString())
                .isTrue();

        // when
        var stranger =
                agents.order("Look.").put("projectId", ada.inTeam("Other").projectId());
        stranger.set("tools", order.get("tools"));
        var refused = agents.run(stranger);

        // then
        assertThat(refused.at("/result/steps/0/output/failed").asBoolean())
                .as(refused.toString())
                .isTrue();
    }
}
