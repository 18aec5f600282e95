package io.millrace.workspace.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ModelServer;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is counted of models, and what a budget does (seed: a turn cut short by the usage budget fails no run). */
class ModelUsageIT {
    private static final String USAGE = "/v1/ai-usage";
    private static final String AI = "@activepieces/piece-ai";

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

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static Answer report(String projectId) {
        return ada.api().get(USAGE + "?projectId=" + projectId);
    }

    private static Answer budget(String projectId, Integer tokens) {
        return ada.api()
                .post(
                        USAGE + "/budgets",
                        Json.object().put("projectId", projectId).put("tokensPerMonth", tokens));
    }

    private static Answer start(String projectId) {
        return ada.api()
                .post(
                        "/v1/agents/runs",
                        Json.object().put("projectId", projectId).put("instruction", "Work."));
    }

    private static JsonNode ended(Answer started) {
        assertThat(started.status()).as(started.toString()).isEqualTo(200);
        var found = new AtomicReference<JsonNode>();
        Waiting.until("the agent has ended", () -> {
            var run = ada.api().get("/v1/agents/runs/" + started.text("/runId"));
            found.set(run.body());
            return !run.text("/status").equals("STREAMING");
        });
        return found.get();
    }

    private static LiveFlow flow(TestServer.SignedIn worker, String action, String input) {
        return LiveFlow.publish(
                worker,
                FlowScript.webhook()
                        .piece("step_1", AI, "0.1.12", action, json(input))
                        .map("step_2", "{'after':'{{step_1.output}}'}"));
    }

    private static ObjectNode callsOnce(int tokens) {
        var body = Json.object();
        var message = Json.object().put("role", "assistant").putNull("content");
        message.putArray("tool_calls")
                .addObject()
                .put("id", "call")
                .put("type", "function")
                .putObject("function")
                .put("name", "none")
                .put("arguments", "{}");
        body.putArray("choices").addObject().put("finish_reason", "tool_calls").set("message", message);
        body.putObject("usage").put("prompt_tokens", tokens).put("completion_tokens", 1);
        return body;
    }

    @Test
    void countsAgentsAndSteps_byDayAndModel() {
        // Given
        var team = ada.inTeam("Counted");

        // When
        ended(start(team.projectId()));
        var run = flow(team, "askAi", "{'provider':'custom','model':'mill-1','prompt':'Say ok'}")
                .run(Json.object());

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        var report = report(team.projectId());
        assertThat(report.body().at("/data/0")).as(report.toString()).isEqualTo(json("""
                {'provider':'custom','model':'mill-1','kind':'CHAT','calls':2,'inputTokens':20,'outputTokens':10,'day':'%s'}
                """.formatted(
                        report.text("/to"))));
        assertThat(report.body().path("totals")).isEqualTo(json("{'calls':2,'inputTokens':20,'outputTokens':10}"));
        assertThat(report.body().path("budget")).isEqualTo(json("{'tokensPerMonth':null,'tokensUsedThisMonth':30}"));
        assertThat(ada.api()
                        .get(USAGE + "/platform")
                        .body()
                        .path("data")
                        .valueStream()
                        .filter(row -> row.path("projectDisplayName").asText().equals("Counted"))
                        .map(row -> row.path("calls").asInt()))
                .containsExactly(2);
        assertThat(report(ada.inTeam("Idle").projectId()).body().path("data")).isEmpty();
    }

    @Test
    void endsAnAgentWithWhatItHas_whenTheBudgetIsUsedUp_andItsFlowGoesOn() {
        // Given: the first turn uses up all there is.
        var team = ada.inTeam("Bounded");
        assertThat(budget(team.projectId(), 100).body())
                .isEqualTo(Json.object().put("projectId", team.projectId()).put("tokensPerMonth", 100));
        model.then(new ModelServer.Reply(200, Json.text(callsOnce(200)), null, false));

        // When
        var run = flow(team, "run_agent", "{'prompt':'Work.','aiProviderModel':{'provider':'custom','model':'mill-1'}}")
                .run(Json.object());

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/output/failure").isMissingNode()).isTrue();
        var blocks = run.at("/steps/step_1/output/steps");
        assertThat(blocks.get(blocks.size() - 1).path("markdown").asText()).contains("budget");
        assertThat(model.questions).hasSize(1);
    }

    @Test
    void beginsNothing_whenTheBudgetIsUsedUp_untilThereIsOneAgain() {
        // Given
        var team = ada.inTeam("Spent");
        budget(team.projectId(), 0);

        // When
        var refused = start(team.projectId());
        var run = flow(team, "askAi", "{'provider':'custom','model':'mill-1','prompt':'Say ok'}")
                .run(Json.object());

        // Then
        assertThat(refused.status()).isEqualTo(402);
        assertThat(refused.text("/code")).isEqualTo("QUOTA_EXCEEDED");
        assertThat(refused.text("/params/metric")).isEqualTo("ai-credits");
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("used up its budget");
        assertThat(model.questions).isEmpty();

        // When
        budget(team.projectId(), null);

        // Then
        assertThat(ended(start(team.projectId())).at("/result/status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void refusesOtherPlatformsProjects_andDaysThatAreNone() {
        assertThat(budget(Ids.next(), 5).status()).isEqualTo(404);
        assertThat(ada.api()
                        .post(USAGE + "/budgets", Json.object().put("projectId", ada.projectId()))
                        .status())
                .isEqualTo(400);
        assertThat(ada.api()
                        .get(USAGE + "?projectId=" + ada.projectId() + "&from=today&to=2026-01-01")
                        .status())
                .isEqualTo(400);
        assertThat(ada.api()
                        .get(USAGE + "?projectId=" + ada.projectId() + "&from=2024-01-01&to=2026-01-01")
                        .text("/message"))
                .contains("366 days");
    }
}
