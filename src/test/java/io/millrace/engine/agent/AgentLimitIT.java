package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.piece.ToolSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits of agents from settings and the contract, tested on both sides of each limit (contract agents 1.1, 2.1). */
class AgentLimitIT {
    private static final String RUNS = "/v1/agents/runs";
    private static final int AT_ONCE = 2;
    private static final int STARTS_A_MINUTE = 60;
    private static final int LAST = 6;

    private static ObjectNode order(TestServer.SignedIn user) {
        return Json.object().put("projectId", user.projectId()).put("instruction", "Work.");
    }

    @Test
    void startsSixtyRunsAMinute_andWorksOnAsManyAtOnceAsItShall() {
        try (var model = ModelServer.start();
                var server = TestServer.startInRealTime(
                        Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_AGENT_CONCURRENCY", String.valueOf(AT_ONCE)))) {
            // given a model that does not respond
            var ada = server.signUp("ada@example.com", "Ada");
            model.serve(ada);
            model.holding();

            // when
            for (var count = 0; count < STARTS_A_MINUTE - LAST; count++) {
                assertThat(ada.api().post(RUNS, order(ada)).status()).isEqualTo(200);
            }
            // and more runs are started at once than the limit leaves
            var last = Stream.generate(() -> ada.api().postAsync(RUNS, order(ada)))
                    .limit(2 * LAST)
                    .toList();
            assertThat(last.stream().map(answer -> answer.join().status()).filter(status -> status == 200))
                    .hasSize(LAST);

            // then the next one is refused, and one of another project is not
            var refused = ada.api().post(RUNS, order(ada));
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("/code")).isEqualTo("VALIDATION");
            assertThat(refused.text("/params/message")).contains(String.valueOf(STARTS_A_MINUTE));
            assertThat(ada.api().post(RUNS, order(ada.inTeam("Other"))).status())
                    .isEqualTo(200);

            // and no more than the limit execute
            Waiting.until("the model is asked", () -> model.questions.size() >= AT_ONCE);
            assertThat(server.count("select count(*) from agent_run where owner <> ''"))
                    .isEqualTo(AT_ONCE);
            assertThat(model.questions).hasSize(AT_ONCE);

            // when the model responds
            model.release();

            // then the waiting runs execute
            Waiting.until(
                    "all runs have ended",
                    () -> server.count("select count(*) from agent_run where not delivered") == 0);
        }
    }

    @Test
    void continuesConversationsUpToTheLimitOfMessages() {
        try (var model = ModelServer.start();
                var server = TestServer.startInRealTime(
                        Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_AGENT_CONVERSATION_MESSAGES_MAX", "2"))) {
            // given
            var ada = server.signUp("ada@example.com", "Ada");
            model.serve(ada);
            var flags = server.anonymous().get("/v1/flags").body();
            assertThat(flags.path("AGENT_CONVERSATION_MESSAGES_MAX").asInt()).isEqualTo(2);

            // when
            var within = ada.api().post(RUNS, continued(ada, 2));
            var beyond = ada.api().post(RUNS, continued(ada, 3));

            // then
            assertThat(within.status()).isEqualTo(200);
            assertThat(beyond.status()).isEqualTo(400);
            assertThat(beyond.toString()).contains("conversation Too big: expected array to have <=2 items");
        }
    }

    private static ObjectNode continued(TestServer.SignedIn user, int messages) {
        var order = order(user);
        var conversation = order.putArray("conversation");
        for (var count = 0; count < messages; count++) {
            conversation.addObject().put("role", "user").put("content", "Work.");
        }
        return order;
    }

    @Test
    void reportsThatAgentsAreDisabled() {
        try (var model = ModelServer.start();
                var server = TestServer.startInRealTime(
                        Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_AGENTS_ENABLED", "false"))) {
            // given
            var ada = server.signUp("ada@example.com", "Ada");
            model.serve(ada);
            var id = "/v1/agents/abcdefghijklmnopqrstu";

            // then every route of saved agents reports it
            for (var path : List.of("/v1/agents", "/v1/agents/templates", id)) {
                assertThat(ada.api().get(path).text("/code")).as(path).isEqualTo("FEATURE_DISABLED");
            }
            for (var path :
                    List.of("/v1/agents", "/v1/agents/draft", id, id + "/publish", id + "/unpublish", id + "/move")) {
                var answer = ada.api().post(path, Json.object());
                assertThat(answer.status()).as(path).isEqualTo(402);
            }
            assertThat(ada.api().delete(id).status()).isEqualTo(402);
            assertThat(server.anonymous().get("/v1/agents").status()).isEqualTo(403);

            // and so do a run and the publication of a flow with a saved agent
            var named = ada.api().post(RUNS, order(ada).put("agentId", "abcdefghijklmnopqrstu"));
            assertThat(named.status()).isEqualTo(402);
            var step = Json.object().put("prompt", "Work.").put("agentId", "abcdefghijklmnopqrstu");
            var flow = LiveFlow.draft(
                    ada, FlowScript.webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", step));
            assertThat(flow.operate(FlowScript.json("{'type':'LOCK_AND_PUBLISH','request':{}}"))
                            .status())
                    .isEqualTo(402);

            // while an unsaved agent can be run
            assertThat(ada.api().post(RUNS, order(ada)).status()).isEqualTo(200);
        }
    }

    @Test
    void givesAToolsActionTheTimeOfAFlow_andContinuesWithoutIt() {
        try (var model = ModelServer.start();
                var slow = ModelServer.start();
                var server = TestServer.startInRealTime(
                        Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "2"))) {
            // given a tool that calls a server without a response
            var ada = server.signUp("ada@example.com", "Ada");
            model.serve(ada);
            slow.holding();
            var order = order(ada);
            order.putArray("tools").add(ToolSettings.call("call", "GET", slow.url("/")));
            model.otherwise(question -> question.path("messages").size() < 3
                    ? ModelServer.calls(question.at("/tools/0/function/name").asText(), "{}")
                    : ModelServer.text("Nobody is there."));

            // when
            var id = ada.api().post(RUNS, order).text("/runId");
            Waiting.until(
                    "the agent has ended",
                    () -> !ada.api().get(RUNS + "/" + id).text("/status").equals("STREAMING"));

            // then
            var result = ada.api().get(RUNS + "/" + id).body().path("result");
            assertThat(result.at("/steps/0/output/failed").asBoolean())
                    .as(result.toString())
                    .isTrue();
            assertThat(result.at("/steps/1/markdown").asText()).isEqualTo("Nobody is there.");
            slow.release();
        }
    }
}
