package io.millrace.workspace.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Model usage accounting and budget limits. */
class ModelUsageIT {
    private static final String USAGE = "/v1/ai-usage";
    private static final String AI = "@activepieces/piece-ai";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(
            "AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_AI_CREDITS_API_KEY", "k3y9", "AP_AI_CREDITS_URL", model.url("/v1")));

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

    private static Answer start(TestServer.SignedIn worker) {
        var agents = new AgentCaller(worker);
        return agents.start(agents.order("Work."));
    }

    private static JsonNode ended(Answer started) {
        return new AgentCaller(ada).ended(started);
    }

    private static LiveFlow flow(TestServer.SignedIn worker, String action, String input) {
        return LiveFlow.publish(
                worker,
                FlowScript.webhook()
                        .piece("step_1", AI, "0.1.12", action, json(input))
                        .map("step_2", "{'after':'{{step_1.output}}'}"));
    }

    @Test
    void countsAgentsAndSteps_byDayAndModel() {
        // given
        var team = ada.inTeam("Counted");

        // when
        ended(start(team));
        var run = flow(team, "askAi", "{'provider':'custom','model':'mill-1','prompt':'Say ok'}")
                .run(Json.object());

        // then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        var report = report(team.projectId());
        assertThat(report.body().at("/data/0")).as(report.toString()).isEqualTo(json("""
                {'provider':'custom','model':'mill-1','kind':'CHAT','calls':2,'inputTokens':20,'outputTokens':10,'aiCredits':0.0,'costUsd':0.0,'day':'%s'}
                """.formatted(
                        report.text("/to"))));
        assertThat(report.body().path("totals"))
                .isEqualTo(json("{'calls':2,'inputTokens':20,'outputTokens':10,'aiCredits':0.0,'costUsd':0.0}"));
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

    /** Options of a step's provider drop-down. */
    private static JsonNode providers(TestServer.SignedIn worker) {
        var flow = LiveFlow.draft(worker, FlowScript.webhook());
        return worker.api()
                .post(
                        "/v1/pieces/options",
                        Json.object()
                                .put("projectId", worker.projectId())
                                .put("pieceName", AI)
                                .put("pieceVersion", "0.1.12")
                                .put("actionOrTriggerName", "askAi")
                                .put("propertyName", "provider")
                                .put("flowId", flow.id())
                                .put("flowVersionId", flow.id())
                                .set("input", Json.object()))
                .body();
    }

    @Test
    void countsWhatAnAgentTakesOfThePlatformsCredits_andOfAKeyOfOnesOwnNothing() {
        // given responses that cost an eightieth of a dollar each
        var team = ada.inTeam("Credited");
        model.otherwise(question -> question.path("messages").size() < 3
                ? ModelServer.calls("none", "{}").priced("0.0125")
                : ModelServer.text("Done.").priced("0.0125"));
        var agents = new AgentCaller(team);
        var order = agents.order("Work.").put("provider", "activepieces").put("modelName", "smart");

        // when
        var own = ended(start(team));
        var credited = agents.run(order);

        // then
        assertThat(own.path("aiCredits").isNull()).isTrue();
        assertThat(credited.path("aiCredits").asDouble())
                .as(credited.toString())
                .isEqualTo(25);
        assertThat(model.questions.getLast().path("model").asText()).isEqualTo("anthropic/claude-sonnet-4.6");
        var report = report(team.projectId()).body();
        assertThat(report.path("data")
                        .valueStream()
                        .map(row -> row.path("provider").asText() + " "
                                + row.path("aiCredits").asDouble()))
                .containsExactly("activepieces 25.0", "custom 0.0");
        assertThat(report.at("/totals/aiCredits").asDouble()).isEqualTo(25);
        assertThat(report.at("/totals/costUsd").asDouble()).isEqualTo(0.025);
        assertThat(providers(team).toString()).contains("House models", "Platform AI credits");
    }

    @Test
    void endsAnAgentWithWhatItHas_whenTheBudgetIsUsedUp_andItsFlowGoesOn() {
        // given a first turn that uses up the budget
        var team = ada.inTeam("Bounded");
        assertThat(budget(team.projectId(), 100).body())
                .isEqualTo(Json.object().put("projectId", team.projectId()).put("tokensPerMonth", 100));
        model.then(ModelServer.calls("none", "{}").costing(200));

        // when
        var run = flow(team, "run_agent", "{'prompt':'Work.','aiProviderModel':{'provider':'custom','model':'mill-1'}}")
                .run(Json.object());

        // then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/output/failure").isMissingNode()).isTrue();
        var blocks = run.at("/steps/step_1/output/steps");
        assertThat(blocks.get(blocks.size() - 1).path("markdown").asText()).contains("budget");
        assertThat(model.questions).hasSize(1);
    }

    @Test
    void beginsNothing_whenTheBudgetIsUsedUp_untilThereIsOneAgain() {
        // given
        var team = ada.inTeam("Spent");
        budget(team.projectId(), 0);

        // when
        var refused = start(team);
        var run = flow(team, "askAi", "{'provider':'custom','model':'mill-1','prompt':'Say ok'}")
                .run(Json.object());

        // then
        assertThat(refused.status()).isEqualTo(402);
        assertThat(refused.text("/code")).isEqualTo("QUOTA_EXCEEDED");
        assertThat(refused.text("/params/metric")).isEqualTo("ai-credits");
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("used up its token budget");
        assertThat(model.questions).isEmpty();

        // when
        budget(team.projectId(), null);

        // then
        assertThat(ended(start(team)).at("/result/status").asText()).isEqualTo("COMPLETED");
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
