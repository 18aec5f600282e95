package io.millrace.engine.agent;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timeouts of steps that wait for models and agents, on both sides of each limit (contract agents 2.2, 3.1, 3.3). */
class AgentWaitIT {
    private static final String EXECUTE = "/v1/ai/execute";
    private static final String LATE = "waited too long";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "5"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    /** The code of a piece, at the current time. */
    private static ApiClient piece() {
        return server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(ada.projectId()));
    }

    private static FlowScript agent() {
        return FlowScript.webhook()
                .piece(
                        "step_1",
                        "@activepieces/piece-ai",
                        "0.1.12",
                        "run_agent",
                        json("{'prompt':'Wait.','aiProviderModel':{'provider':'custom','model':'mill-1'}}"));
    }

    /** Starts a run whose step waits for a call; returns its id. */
    private static String paused(LiveFlow flow) {
        flow.call(Json.object());
        Waiting.until(
                "the run is paused",
                () -> !flow.runs().isEmpty()
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        return flow.newestId();
    }

    private static LiveFlow waitingForACall() {
        return LiveFlow.publish(
                ada,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-webhook",
                                "0.1.29",
                                "return_response_and_wait_for_next_webhook",
                                json("{'responseType':'json','fields':{'status':200,'headers':{},'body':{}}}")));
    }

    private static ObjectNode order(String runId) {
        return Json.object()
                .put("action", "askAi")
                .put("prompt", "Well?")
                .put("flowId", runId)
                .put("flowRunId", runId);
    }

    private static ObjectNode orderOf(String runId) {
        return order(runId).put("waitpointId", server.text("select id from waitpoint where run_id = $1", runId));
    }

    /** Advances the clock and fires due timers: a delay that is a minute shorter is then over. */
    private static void pass(Duration time) {
        var delay = LiveFlow.publish(ada, FlowScript.webhook().delay("step_1", (int)
                time.minusMinutes(1).toSeconds()));
        paused(delay);
        server.clock().advance(time);
        assertThat(delay.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
    }

    private static JsonNode ended(LiveFlow flow, String runId) {
        Waiting.until(
                "the run has ended",
                () -> !flow.run(runId).path("status").asText().matches("QUEUED|RUNNING|PAUSED"));
        return flow.run(runId);
    }

    @Test
    void aCallerWaitsForTheTimeOfAFlow_andAStepForLonger() {
        // given a model that does not respond
        var flow = waitingForACall();
        var runId = paused(flow);
        model.holding();

        // when
        assertThat(piece().post(EXECUTE, orderOf(runId)).status()).isEqualTo(200);
        var waited = piece().post(EXECUTE, order(runId));
        model.release(ModelServer.text("At last."));

        // then
        assertThat(waited.text("/failure")).isNotBlank();
        assertThat(waited.body().has("output")).isFalse();
        var run = ended(flow, runId);
        assertThat(run.at("/steps/step_1/output/body/output/answer").asText())
                .as(run.toString())
                .isEqualTo("At last.");
        assertThat(piece().post(EXECUTE, order(runId)).text("/output/answer")).isEqualTo("Done.");
    }

    @Test
    void aStepWaitsForAnAnswerForAnHour_andFailsThen() {
        // given
        var flow = waitingForACall();
        var runId = paused(flow);
        model.holding();
        assertThat(piece().post(EXECUTE, orderOf(runId)).status()).isEqualTo(200);

        // when
        pass(Duration.ofMinutes(59));

        // then
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("PAUSED");

        // when
        server.clock().advance(Duration.ofMinutes(1));

        // then
        var run = ended(flow, runId);
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains(LATE);
        model.release();
    }

    @Test
    void anAgentOfATestIsWaitedForAQuarterOfAnHour() {
        // given
        var flow = LiveFlow.draft(ada, agent());
        model.holding();
        var test = Json.object()
                .put("projectId", ada.projectId())
                .put("flowVersionId", ada.api().get("/v1/flows/" + flow.id()).text("/version/id"))
                .put("stepName", "step_1");
        var runId = ada.api().post("/v1/sample-data/test-step", test).text("/id");
        Waiting.until(
                "the test waits", () -> flow.run(runId).path("status").asText().equals("PAUSED"));

        // when
        pass(Duration.ofMinutes(14));

        // then
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("PAUSED");

        // when
        server.clock().advance(Duration.ofMinutes(1));

        // then
        var run = ended(flow, runId);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains(LATE);
        model.release();
    }

    @Test
    void anAgentOfAFlowIsStoppedAfterTwoHours_andItsStepHasWhatItDid() {
        // given
        var flow = LiveFlow.publish(ada, agent());
        model.holding();
        var runId = paused(flow);

        // when
        pass(Duration.ofMinutes(119));

        // then
        assertThat(flow.run(runId).path("status").asText()).isEqualTo("PAUSED");

        // when
        server.clock().advance(Duration.ofMinutes(1));

        // then
        var run = ended(flow, runId);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/output/steps/0/markdown").asText()).contains("exceeded its time limit");
        model.release();
    }
}
