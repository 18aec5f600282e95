package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.AgentCaller;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spending limits of a run of an agent, and its fallback model. Each response takes 15 tokens and costs a cent. */
class AgentSpendingIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(
            Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_AI_PRICES_FILE", prices().toString()));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static AgentCaller agents = new AgentCaller(ada);

    private static Path prices() {
        try {
            var file = Files.createTempFile("prices", ".csv");
            file.toFile().deleteOnExit();
            return Files.writeString(file, "# date: 2026-11-28\ncustom:mill-1,500,1000\nmill-2,500,1000\n");
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
        model.otherwise(_ -> ModelServer.calls("none", "{}"));
    }

    private static String lastBlock(JsonNode result) {
        var blocks = result.path("steps");
        return blocks.get(blocks.size() - 1).path("markdown").asText();
    }

    @Test
    void stopsAnAgentThatLoops_atFiveCents_withItsPartialResult_andItsFlowContinues() {
        // when
        var run = LiveFlow.publish(
                        ada,
                        FlowScript.webhook()
                                .piece(
                                        "step_1",
                                        "@activepieces/piece-ai",
                                        "0.1.12",
                                        "run_agent",
                                        FlowScript.json("{'prompt':'Loop.','maxCostUsd':0.05,'maxSteps':50}"))
                                .map("step_2", "{'after':'{{step_1.status}}'}"))
                .run(Json.object());

        // then
        var result = run.at("/steps/step_1/output");
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(model.questions).hasSize(5);
        assertThat(result.path("status").asText()).isEqualTo("FAILED");
        assertThat(result.path("usage")).isEqualTo(Json.trusted("{\"tokens\":75,\"costUsd\":0.05}"));
        assertThat(result.path("steps")).hasSizeGreaterThanOrEqualTo(6);
        assertThat(lastBlock(result)).contains("budget", "$0.0500 of at most $0.0500");
        assertThat(result.has("failure")).isFalse();
    }

    /** A request is not sent if its conversation alone would exceed the limit. */
    @Test
    void stopsBeforeTheRequestThatExceedsALimit() {
        var ofMoney = agents.run(agents.order("Loop.").put("maxCostUsd", 0.027));
        assertThat(model.questions).hasSize(2);
        assertThat(ofMoney.at("/result/usage/costUsd").asDouble()).isEqualTo(0.02);
        assertThat(lastBlock(ofMoney.path("result"))).contains("the next request costs at least $0.0075");

        forget();
        var ofTokens = agents.run(agents.order("Loop.").put("maxTokens", 44));
        assertThat(model.questions).hasSize(2);
        assertThat(lastBlock(ofTokens.path("result"))).contains("30 of at most 44 tokens");

        forget();
        agents.run(agents.order("Loop.").put("maxTokens", 45));
        assertThat(model.questions).hasSize(3);
    }

    @Test
    void spendsNoMore_thanALimitThatIsNotReached() {
        model.otherwise(_ -> ModelServer.text("Done."));

        var run = agents.run(agents.order("Answer.").put("maxCostUsd", 0.01).put("maxTokens", 15));

        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        assertThat(run.at("/result/usage/costUsd").asDouble()).isEqualTo(0.01);
    }

    @Test
    void refusesALimitOfMoney_forAModelWithoutAPrice_andLimitsThatAreNone() {
        var unpriced = agents.start(
                agents.order("x").put("maxCostUsd", 1).put("provider", "custom").put("modelName", "other"));
        assertThat(unpriced.status()).as(unpriced.toString()).isBetween(400, 409);
        assertThat(unpriced.body().toString()).contains("custom:other", "AP_AI_PRICES_FILE");
        for (var limit :
                new String[] {"{'maxCostUsd':0}", "{'maxCostUsd':-1}", "{'maxCostUsd':'1'}", "{'maxTokens':0}"}) {
            var order = agents.order("x");
            order.setAll((ObjectNode) FlowScript.json(limit));
            assertThat(agents.start(order).status()).as(limit).isEqualTo(400);
        }
        assertThat(model.questions).isEmpty();
    }

    @Test
    void asksTheFallbackModel_whenTheFirstOneFails_withoutItsState() {
        model.otherwise(question -> switch (question.path("messages").size()) {
            case 1 ->
                ModelServer.saying(
                        "{'choices':[{'message':{'reasoning_content':'Deep.','tool_calls':[{'id':'c','function':{'name':'none','arguments':'{}'}}]},'finish_reason':'tool_calls'}]}");
            default ->
                question.path("model").asText().equals("mill-1")
                        ? ModelServer.failure(400, "model is overloaded")
                        : ModelServer.text("Done.");
        });
        var order = agents.order("Work.");
        order.putObject("fallbackModel").put("provider", "custom").put("modelName", "mill-2");

        var run = agents.run(order);

        assertThat(run.at("/result/status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(lastBlock(run.path("result"))).isEqualTo("Done.");
        assertThat(model.questions.stream()
                        .map(question -> question.path("model").asText()))
                .containsExactly("mill-1", "mill-1", "mill-2");
        assertThat(model.questions.get(1).at("/messages/1/reasoning_content").asText())
                .isEqualTo("Deep.");
        assertThat(model.questions.getLast().at("/messages/1").has("reasoning_content"))
                .isFalse();
    }

    private static LiveFlow asking(TestServer.SignedIn worker) {
        return LiveFlow.publish(
                worker,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-ai",
                                "0.1.12",
                                "askAi",
                                FlowScript.json("{'provider':'custom','model':'mill-1','prompt':'Say ok'}")));
    }

    private static Answer limit(ObjectNode limit) {
        return ada.api().post("/v1/ai-usage/budgets", limit);
    }

    private static String statusOf(LiveFlow flow) {
        return flow.run(Json.object()).path("status").asText();
    }

    @Test
    void asksNoModelForAFlow_whoseMoneyOfTheMonthIsSpent_butForOthers() {
        // given a flow that may spend a cent
        model.otherwise(_ -> ModelServer.text("ok"));
        var team = ada.inTeam("Limited flows");
        var limited = asking(team);
        var free = asking(team);
        var request = Json.object().put("projectId", team.projectId()).put("flowId", limited.id());
        request.putNull("tokensPerMonth").put("costUsdPerMonth", 0.01);
        assertThat(limit(request).body()).isEqualTo(request);

        // when
        var first = statusOf(limited);
        var second = limited.run(Json.object());

        // then
        assertThat(first).isEqualTo("SUCCEEDED");
        assertThat(second.path("status").asText()).isEqualTo("FAILED");
        assertThat(second.toString()).contains("the flow has spent $0.0100 of $0.0100");
        assertThat(statusOf(free)).isEqualTo("SUCCEEDED");
        assertThat(model.questions).hasSize(2);
        var shown = ada.api().get("/v1/ai-usage?projectId=" + team.projectId()).body();
        assertThat(shown.at("/limits/0/scope").asText()).isEqualTo("FLOW");
        assertThat(shown.at("/limits/0/costUsdThisMonth").asDouble()).isEqualTo(0.01);
        assertThat(shown.at("/totals/costUsd").asDouble()).isEqualTo(0.02);

        // when the limit is removed
        limit(request.putNull("costUsdPerMonth"));

        // then
        assertThat(statusOf(limited)).isEqualTo("SUCCEEDED");
    }

    @Test
    void endsAnAgentWithItsPartialResult_whenTheMoneyOfItsProjectIsSpent() {
        var team = ada.inTeam("Limited project");
        limit(Json.object()
                .put("projectId", team.projectId())
                .putNull("tokensPerMonth")
                .put("costUsdPerMonth", 0.03));
        var own = new AgentCaller(team);

        var run = own.run(own.order("Loop."));

        assertThat(model.questions).hasSize(3);
        assertThat(lastBlock(run.path("result"))).contains("the project has spent $0.0300 of $0.0300");
        assertThat(own.start(own.order("Loop.")).status()).isEqualTo(402);
    }

    @Test
    void refusesLimitsThatAreNone() {
        var limit = Json.object().put("projectId", ada.projectId()).putNull("tokensPerMonth");
        assertThat(limit(limit.deepCopy().put("costUsdPerMonth", -1)).status()).isEqualTo(400);
        assertThat(limit(limit.deepCopy().put("costUsdPerMonth", "1")).status()).isEqualTo(400);
        assertThat(limit(limit.deepCopy().put("flowId", Ids.next()).put("agentId", Ids.next()))
                        .status())
                .isEqualTo(400);
        assertThat(limit(limit.deepCopy().put("projectId", Ids.next()).put("costUsdPerMonth", 1))
                        .status())
                .isEqualTo(404);
    }
}
