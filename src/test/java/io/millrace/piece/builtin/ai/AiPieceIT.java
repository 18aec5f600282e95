package io.millrace.piece.builtin.ai;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions that call a model, as steps of flows (contract agents 3.2). */
class AiPieceIT {
    private static final String AI = "@activepieces/piece-ai";
    private static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    /** A flow with one step, with provider and model in the format of the drop-downs. */
    private static LiveFlow flow(String action, String input) {
        var props = (com.fasterxml.jackson.databind.node.ObjectNode) json(input);
        props.put("provider", "custom").put("model", "mill-1");
        return LiveFlow.publish(ada, FlowScript.webhook().piece("step_1", AI, "0.1.12", action, props));
    }

    private static JsonNode step(JsonNode run) {
        return run.at("/steps/step_1");
    }

    @Test
    void asksAndRemembersAConversation_underItsKey() {
        // given
        var flow = flow(
                "askAi",
                "{'prompt':'{{trigger.output.body.q}}','conversationKey':'ada','creativity':40,'maxOutputTokens':50}");
        model.then(ModelServer.text("Madrid.")).then(ModelServer.text("Paris."));

        // when
        var first = flow.run(Json.object().put("q", "Capital of Spain?"));
        var second = flow.run(Json.object().put("q", "And of France?"));

        // then
        assertThat(step(first).path("output").asText()).as(first.toString()).isEqualTo("Madrid.");
        assertThat(step(second).path("output").asText()).isEqualTo("Paris.");
        var question = model.questions.getLast();
        assertThat(question.path("messages")
                        .valueStream()
                        .map(message -> message.path("content").asText()))
                .containsExactly("Capital of Spain?", "Madrid.", "And of France?");
        assertThat(question.path("temperature").asDouble()).isEqualTo(0.4);
        assertThat(question.path("max_tokens").asInt()).isEqualTo(50);
    }

    @Test
    void fails_whenTheProviderCannotSearchTheWeb() {
        var run = flow("askAi", "{'prompt':'News?','webSearch':true}").run(Json.object());

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(step(run).path("errorMessage").asText()).contains("does not support web search");
        assertThat(model.questions).isEmpty();
    }

    @Test
    void sumsUp_andSorts() {
        // given
        model.then(ModelServer.text("Short."));

        // when
        var summary = flow("summarizeText", "{'text':'Long, long.','prompt':'Sum up.'}")
                .run(Json.object());

        // then
        assertThat(step(summary).path("output").asText()).as(summary.toString()).isEqualTo("Short.");
        assertThat(model.questions.getFirst().toString())
                .contains("Long, long.")
                .contains("Sum up.");

        // given
        var sorting = flow("classifyText", "{'text':'Broken!','categories':['praise','complaint']}");
        model.then(ModelServer.text("complaint\n")).then(ModelServer.text("Complaint, I think"));

        // then
        assertThat(step(sorting.run(Json.object())).path("output").asText()).isEqualTo("complaint");
        assertThat(step(sorting.run(Json.object())).path("errorMessage").asText())
                .contains("could not classify");
    }

    @Test
    void readsFieldsOutOfAPicture_underTheNamesTheyWereGiven() {
        // given
        var input =
                "{'text':'','files':[{'file':'data:image/png;base64," + PNG + "'}],'mode':'simple','schema':{'fields':["
                        + "{'name':'Total (EUR)','type':'number','isRequired':true}]}}";
        model.then(ModelServer.calls("extract_data", "{'Total__EUR_':42}"));

        // when
        var run = flow("extractStructuredData", input).run(Json.object());

        // then
        assertThat(step(run).path("output")).as(run.toString()).isEqualTo(json("{'Total (EUR)':42}"));
        var question = model.questions.getFirst();
        assertThat(question.at("/messages/0/content").toString()).contains("data:image/png;base64," + PNG);
        assertThat(question.at("/tools/0/function/parameters/required/0").asText())
                .isEqualTo("Total__EUR_");
        assertThat(question.at("/tool_choice/function/name").asText()).isEqualTo("extract_data");

        // when the response has no tool call, or there is no input
        model.then(ModelServer.text("It is a picture."));
        var none = flow("extractStructuredData", input).run(Json.object());
        var empty = flow("extractStructuredData", input.replaceAll("'files':\\[.*?\\],", ""))
                .run(Json.object());

        // then
        assertThat(step(none).path("errorMessage").asText()).contains("No structured data");
        assertThat(step(empty).path("errorMessage").asText()).contains("found neither");
    }

    @Test
    void makesAPictureOfAPicture_andKeepsIt() {
        // given
        model.then(ModelServer.picture(PNG));
        var flow = flow(
                "generateImage",
                "{'prompt':'Make it blue.','inputImages':[{'file':'data:image/png;base64," + PNG + "'}]}");

        // when
        var run = flow.run(Json.object());

        // then
        var url = step(run).path("output").asText();
        assertThat(url).as(run.toString()).contains("/api/v1/");
        assertThat(model.questions.getFirst().at("/messages/0/content").toString())
                .contains("Make it blue.")
                .contains(PNG);
        var file = ada.api().get(url.substring(url.indexOf("/v1/")));
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow()).contains("image/png");

        // when the response has no picture
        model.then(ModelServer.text("I cannot draw."));
        var none = flow.run(Json.object());

        // then
        assertThat(step(none).path("errorMessage").asText()).contains("the provider returned no image");
    }
}
