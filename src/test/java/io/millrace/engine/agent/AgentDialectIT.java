package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.TestServer;
import io.millrace.support.outside.HostilePeer;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.piece.ToolSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents with models and MCP servers that deviate from the common protocol. */
class AgentDialectIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static HostilePeer tools = new HostilePeer();

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

    private static ObjectNode adding(String instruction) {
        var order = agents.order(instruction);
        order.putArray("tools")
                .add(ToolSettings.choosing(ToolSettings.addition("add"), "second_number", IntNode.valueOf(2)));
        return order;
    }

    private static ObjectNode withCity(String instruction) {
        var order = agents.order(instruction);
        order.putArray("structuredOutput")
                .addObject()
                .put("displayName", "city name")
                .put("type", "text");
        return order;
    }

    private static String toolName() {
        return model.questions.getFirst().at("/tools/0/function/name").asText();
    }

    /** DeepSeek, OpenRouter and Gemini reject the next request without the data that they sent with the call. */
    @Test
    void sendsBackTheStateOfTheModel_asItCame() {
        model.otherwise(question -> question.path("messages").size() > 2
                ? ModelServer.text("Five.")
                : ModelServer.saying("""
                        : PROCESSING

                        data: {'choices':[{'delta':{'reasoning_content':'I have '}}]}

                        data: {'choices':[{'delta':{'reasoning_content':'to add.','reasoning_details':[{'type':'reasoning.text','index':0,'text':'a'}]}}]}

                        data: {'choices':[{'delta':{'reasoning_details':[{'type':'reasoning.text','index':0,'text':'b','signature':'s'}]}}]}

                        data: {'choices':[{'delta':{'tool_calls':[{'index':0,'id':'c','extra_content':{'google':{'thought_signature':'Z'}},
                        data: 'function':{'name':'TOOL','arguments':{'first_number':3}}}]}}]}

                        data: [DONE]

                        """.replace(
                                "TOOL", question.at("/tools/0/function/name").asText())));

        var run = agents.run(adding("3 + 2?"));

        var sent = model.questions.getLast().at("/messages/1");
        assertThat(sent.path("reasoning_content").asText()).isEqualTo("I have to add.");
        assertThat(sent.path("reasoning_details"))
                .isEqualTo(json("[{'type':'reasoning.text','index':0,'text':'ab','signature':'s'}]"));
        assertThat(sent.at("/tool_calls/0/extra_content")).isEqualTo(json("{'google':{'thought_signature':'Z'}}"));
        assertThat(run.at("/result/steps/0/input")).isEqualTo(json("{'first_number':3}"));
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        assertThat(run.path("result").toString()).doesNotContain("I have to add");
    }

    @Test
    void answersACallThatCannotBeRead_withAnError_andDoesNotPerformIt() {
        model.otherwise(question -> switch (question.path("messages").size()) {
            case 1 -> ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'first_number':");
            case 3 -> ModelServer.calls(question.at("/tools/0/function/name").asText(), "");
            default -> ModelServer.text("I give up.");
        });

        var run = agents.run(adding("3 + 2?"));

        var last = model.questions.getLast().path("messages");
        assertThat(last.at("/2/content").asText()).contains("not executed").contains("not JSON");
        assertThat(last.at("/1/tool_calls/0/function/arguments").asText()).isEqualTo("{}");
        assertThat(last.at("/4/content").asText()).contains("no arguments were received");
        assertThat(run.at("/result/steps/0/output/failed").asBoolean()).isTrue();
        assertThat(run.at("/result/status").asText()).isEqualTo("FAILED");
    }

    @Test
    void showsThoughtsApartFromTheAnswer() {
        model.then(ModelServer.text("<think>secret plan</think>\n\nParis"));

        var run = agents.run(agents.order("Capital of France?"));

        assertThat(run.at("/result/steps")).isEqualTo(json("[{'type':'MARKDOWN','markdown':'Paris'}]"));
        assertThat(run.at("/uiMessages/1/parts"))
                .isEqualTo(json("[{'type':'reasoning','text':'secret plan'},{'type':'text','text':'Paris'}]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'city name': 'Oslo'}",
                "Here it is:\n```json\n{'city name': 'Oslo'}\n```\nAnything else?",
                "{'output': {'city_name': 'Oslo'}}",
                "{'name':'updateTaskStatus','parameters':{'output':{'city name':'Oslo'}}}",
                "<think>{'city name': 'Rome'}?</think>It is {'city name': 'Oslo'}."
            })
    void takesFieldsFromTheText_ofAModelThatCannotBeForced(String text) {
        model.then(ModelServer.text(text.replace('\'', '"')));

        var run = agents.run(withCity("Capital of Norway?"));

        assertThat(run.at("/result/structuredOutput")).isEqualTo(json("{'city name':'Oslo'}"));
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        assertThat(model.questions).hasSize(1);
        assertThat(model.questions
                        .getFirst()
                        .at("/tools/0/function/parameters/properties/output/properties")
                        .has("city_name"))
                .isTrue();
    }

    @Test
    void asksOnceMore_forFieldsThatDoNotFit() {
        model.then(ModelServer.calls("updateTaskStatus", "{'output':{'city_name':7}}"))
                .then(ModelServer.calls("updateTaskStatus", "{'output':{'city_name':'Oslo'}}"));

        var run = agents.run(withCity("Capital of Norway?"));

        assertThat(run.at("/result/structuredOutput")).isEqualTo(json("{'city name':'Oslo'}"));
        var question = model.questions.getLast();
        assertThat(question.at("/messages/2/content").asText()).contains("expected string, found number");
        assertThat(question.at("/tool_choice/function/name").asText()).isEqualTo("updateTaskStatus");
    }

    @ParameterizedTest
    @CsvSource({"I will not tell.", "'{\"city\":\"Oslo\"}'"})
    void showsWhatCame_whenTheSecondAnswerDoesNotFitEither(String text) {
        model.otherwise(_ -> ModelServer.text(text));

        var run = agents.run(withCity("Capital of Norway?"));

        assertThat(model.questions).hasSize(2);
        assertThat(run.at("/result/structuredOutput").isMissingNode()).isTrue();
        assertThat(run.at("/result/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/result/steps")
                        .valueStream()
                        .toList()
                        .getLast()
                        .path("markdown")
                        .asText())
                .contains("lacks the requested fields")
                .contains(text);
        assertThat(run.path("status").asText()).isEqualTo("IDLE");
    }

    /** Servers without forced tool choice, or without tools, report it. */
    @Test
    void doesNotForceAModelThatRefusesTo() {
        model.otherwise(question -> question.path("tool_choice").isObject()
                ? ModelServer.failure(400, "This model does not support this tool_choice")
                : ModelServer.text("{\"city name\":\"Oslo\"}"));

        var run = agents.run(withCity("Capital of Norway?").put("maxSteps", 1));

        assertThat(run.at("/result/structuredOutput")).isEqualTo(json("{'city name':'Oslo'}"));
        assertThat(model.questions).hasSize(2);
    }

    private static ObjectNode server(String name) {
        var tool = Json.object()
                .put("type", "MCP")
                .put("toolName", name)
                .put("serverUrl", tools.url())
                .put("protocol", "http");
        tool.putObject("auth").put("type", "none");
        return tool;
    }

    @Test
    void leavesOutTheToolThatCannotBeOffered_andNoOther() {
        tools.say(200, "application/json", """
                {'result':{'protocolVersion':'2025-11-25','content':[{'type':'text','text':'Sunny.'}],'tools':[
                 {'name':'weather','inputSchema':{'type':'object','properties':{'city name':{'type':'array'}}}},
                 {'name':'bare','inputSchema':{}},
                 {'name':'text','inputSchema':{'type':'string'}},
                 {'description':'nameless'},
                 {'name':'bare','inputSchema':{}}]}}""");
        var order = agents.order("Weather?");
        order.putArray("tools").add(server("sky")).add(server("gone").put("serverUrl", "http://127.0.0.1:1/mcp"));
        model.otherwise(question -> question.path("messages").size() > 2
                ? ModelServer.text("Sunny.")
                : ModelServer.calls(question.at("/tools/0/function/name").asText(), "{'city_name':['Oslo']}"));

        var run = agents.run(order);

        var offered = model.questions.getFirst();
        assertThat(offered.path("tools")).hasSize(3);
        assertThat(offered.at("/tools/0/function/parameters"))
                .isEqualTo(json("{'type':'object','properties':{'city_name':{'type':'array','items':{}}}}"));
        assertThat(offered.at("/tools/1/function/parameters/type").asText()).isEqualTo("object");
        assertThat(offered.at("/messages/0/content").asText())
                .contains("not available")
                .contains("sky/text");
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        assertThat(run.at("/result/leftOut")
                        .valueStream()
                        .map(one -> one.path("tool").asText()))
                .containsExactlyInAnyOrderElementsOf(List.of("sky", "sky/text", "gone"));
        assertThat(run.at("/result/leftOut")
                        .valueStream()
                        .map(one -> one.path("reason").asText()))
                .anyMatch(reason -> reason.contains("is of type string"))
                .anyMatch(reason -> reason.contains("without a name"))
                .anyMatch(reason -> reason.contains("could not be reached"));
        assertThat(toolName()).hasSizeLessThanOrEqualTo(64);
    }
}
