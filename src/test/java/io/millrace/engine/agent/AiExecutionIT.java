package io.millrace.engine.agent;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Model requests by the code of pieces (contract agents 3.1), and agents started by it (2.1). */
class AiExecutionIT {
    private static final String EXECUTE = "/v1/ai/execute";
    private static final String RUNS = "/v1/agents/runs";
    private static final String NOBODY = "abcdefghijklmnopqrstu";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static ApiClient piece;

    @BeforeAll
    static void setUp() {
        model.serve(ada);
        piece = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, InstantSource.system()).issueEngine(ada.projectId()));
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    private static ObjectNode order(String action) {
        return Json.object().put("action", action).put("flowId", NOBODY).put("flowRunId", NOBODY);
    }

    @Test
    void answersImmediately_whenNoOtherCallIsPending() {
        // given
        model.then(ModelServer.text("Paris."));
        var order = order("askAi").put("prompt", "And of France?").put("temperature", 0.5);
        order.set(
                "conversation",
                json("[{'role':'user','content':'Capital of Spain?'}," + "{'role':'assistant','content':'Madrid.'}]"));

        // when
        var answer = piece.post(EXECUTE, order);

        // then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text("/output/answer")).isEqualTo("Paris.");
        assertThat(answer.body().at("/output/conversation").size()).isEqualTo(4);
        assertThat(answer.text("/output/conversation/3/content")).isEqualTo("Paris.");
        assertThat(answer.text("/requestId")).hasSize(21);
        var question = model.questions.getFirst();
        assertThat(question.path("messages").size()).isEqualTo(3);
        assertThat(question.path("temperature").asDouble()).isEqualTo(0.5);
        assertThat(question.path("model").asText()).isEqualTo("mill-1");
    }

    @Test
    void performsTheOtherActions_andNamesTheFailedOne() {
        // given
        var sort = order("classifyText").put("text", "It is broken!");
        sort.putArray("categories").add("praise").add("complaint");
        model.then(ModelServer.text(" complaint ")).then(ModelServer.text("hm"));

        // then
        assertThat(piece.post(EXECUTE, sort).text("/output/answer")).isEqualTo("complaint");
        assertThat(piece.post(EXECUTE, sort).text("/failure"))
                .contains("could not classify")
                .contains("hm");

        // given
        var read = order("extractStructuredData").put("text", "Total: 42 EUR");
        read.set("schema", json("{'mode':'simple','fields':[{'name':'total sum','type':'number','isRequired':true}]}"));
        model.then(ModelServer.calls("extract_data", "{'total_sum':42}"));

        // then
        assertThat(piece.post(EXECUTE, read).body().at("/output/answer")).isEqualTo(json("{'total sum':42}"));

        // given
        model.then(ModelServer.failure(401, "no such key"));

        // then
        assertThat(piece.post(EXECUTE, order("askAi").put("prompt", "Anything?"))
                        .text("/failure"))
                .isEqualTo("custom (mill-1): no such key");
        assertThat(piece.post(EXECUTE, order("askAi").put("prompt", "x").put("provider", "mistral"))
                        .text("/failure"))
                .contains("mistral is not configured");
        assertThat(piece.post(EXECUTE, order("askAi")).text("/failure")).contains("prompt");
    }

    @Test
    void completesTheStepThatWaits_withTheAnswer() {
        // given a waiting run
        var flow = LiveFlow.publish(ada, waiting());
        flow.call(Json.object());
        Waiting.until(
                "the run is paused",
                () -> !flow.runs().isEmpty()
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        var runId = flow.runs().getFirst().path("id").asText();
        var waitpointId = server.text("select id from waitpoint where run_id = $1", runId);
        model.then(ModelServer.text("Go on."));
        var order =
                order("askAi").put("prompt", "Well?").put("flowRunId", runId).put("waitpointId", waitpointId);

        // when
        var answer = piece.post(EXECUTE, order);

        // then
        assertThat(answer.body().has("output")).isFalse();
        var run = flow.ended(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/body/output/answer").asText()).isEqualTo("Go on.");

        // when it has been completed
        var late = piece.post(EXECUTE, order);

        // then
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("/code")).isEqualTo("VALIDATION");
    }

    private static FlowScript waiting() {
        return FlowScript.webhook()
                .piece(
                        "step_1",
                        "@activepieces/piece-webhook",
                        "0.1.29",
                        "return_response_and_wait_for_next_webhook",
                        json("{'responseType':'json','fields':{'status':200,'headers':{},'body':{}}}"));
    }

    @Test
    void isForTheCodeOfPiecesOnly_andNamesTheInvalidField() {
        assertThat(ada.api().post(EXECUTE, order("askAi").put("prompt", "x")).status())
                .isEqualTo(403);
        assertThat(server.anonymous().post(EXECUTE, order("askAi")).status()).isEqualTo(403);
        for (var wrong : List.of(
                order("askEverybody"),
                order("askAi").put("temperature", 3),
                order("askAi").put("maxOutputTokens", 0),
                order("askAi").put("provider", "nobody"),
                order("askAi").put("webSearch", true),
                order("askAi").put("conversation", "x"),
                order("askAi").put("files", 1))) {
            assertThat(piece.post(EXECUTE, wrong).status()).as(wrong.toString()).isEqualTo(400);
        }
        var foreign = order("extractStructuredData");
        foreign.putArray("files").addObject().put("fileId", NOBODY);
        assertThat(piece.post(EXECUTE, foreign).text("/failure")).isNotBlank();
    }

    @Test
    void startsAnAgentForAStepThatWaits_andForNoOther() {
        // given a waiting run, and a saved agent that its flow does not name
        var flow = LiveFlow.publish(ada, waiting());
        flow.call(Json.object());
        Waiting.until(
                "the run is paused",
                () -> !flow.runs().isEmpty()
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        var runId = flow.runs().getFirst().path("id").asText();
        var waitpointId = server.text("select id from waitpoint where run_id = $1", runId);
        var order = Json.object().put("instruction", "Work.");

        // then
        assertThat(piece.post(RUNS, order).text("/message"))
                .contains("flowRunId")
                .contains("waitpointId");
        assertThat(piece.post(RUNS, order.deepCopy().put("flowRunId", NOBODY).put("waitpointId", waitpointId))
                        .status())
                .isEqualTo(409);
        order.put("flowRunId", runId).put("waitpointId", waitpointId);
        var unnamed = piece.post(RUNS, order.deepCopy().put("agentId", NOBODY));
        assertThat(unnamed.status()).isEqualTo(409);
        assertThat(unnamed.text("/params/message")).contains("uses the agent");

        // when
        var started = piece.post(RUNS, order);

        // then
        assertThat(started.status()).as(started.toString()).isEqualTo(200);
        var run = flow.ended(1);
        assertThat(run.at("/steps/step_1/output/body/status").asText()).isEqualTo("COMPLETED");
        assertThat(ada.api().get(RUNS + "/" + started.text("/runId")).text("/flow/flowId"))
                .isEqualTo(flow.id());
    }

    @Test
    void namesTheTiersOfPlatformCredits() {
        assertThat(ada.api().get("/v1/ai-providers/tiers").body()).isEqualTo(json("""
                {'flow':{'tiers':[{'id':'fast','label':'Fast'},{'id':'smart','label':'Smart'},
                                  {'id':'premium','label':'Premium'}]}}
                """));
        assertThat(piece.get("/v1/ai-providers/tiers").status()).isEqualTo(200);
    }
}
