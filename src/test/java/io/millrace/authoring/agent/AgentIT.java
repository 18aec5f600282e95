package io.millrace.authoring.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ModelServer;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Agents that people keep (contract agents 1). */
class AgentIT {
    private static final String ALL = "/v1/agents";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true", "AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada =
            server.signUp("ada@example.com", "Ada").inTeam("Mill");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    private static ObjectNode wish(String name) {
        var wish = Json.object()
                .put("projectId", ada.projectId())
                .put("displayName", name)
                .put("description", "Helps.")
                .put("icon", "bot")
                .put("color", "BLUE");
        wish.putObject("draft").put("instructions", "You help.").put("maxSteps", 5);
        return wish;
    }

    private static Answer made(ObjectNode wish) {
        var answer = ada.api().post(ALL, wish);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer;
    }

    @Test
    void keepsAnAgent_withWhatMayBeLeftOut() {
        // When
        var agent = made(wish("Helper"));

        // Then
        assertThat(agent.text("/externalId")).hasSize(21);
        assertThat(agent.text("/visibility")).isEqualTo("PROJECT");
        assertThat(agent.body().path("published").isNull()).isTrue();
        assertThat(agent.text("/draft/provider")).isEqualTo("custom");
        assertThat(agent.text("/draft/modelName")).isEqualTo("mill-1");
        assertThat(agent.body().at("/draft/tools").isEmpty()).isTrue();

        // And
        var found = ada.api().get(ALL + "?search=helper&projectId=" + ada.projectId());
        assertThat(found.text("/data/0/displayName")).isEqualTo("Helper");
        assertThat(found.body().at("/data/0").has("draft")).isFalse();
        assertThat(found.body().at("/data/0/isPublished").asBoolean()).isFalse();
        assertThat(ada.api().get(ALL + "/" + agent.text("/id")).body()).isEqualTo(agent.body());
    }

    @Test
    void hidesTheSecretsOfTools_andKeepsThem() {
        // Given
        var wish = wish("Caller");
        wish.withObjectProperty("draft")
                .putArray("tools")
                .addObject()
                .put("type", "MCP")
                .put("toolName", "house")
                .put("serverUrl", "https://mcp.example.com")
                .put("protocol", "http")
                .putObject("auth")
                .put("type", "access_token")
                .put("accessToken", "open-sesame");

        // When
        var agent = made(wish);
        var changes = Json.object().put("displayName", "Renamed").put("goLive", true);
        changes.set("draft", agent.body().path("draft"));
        var changed = ada.api().post(ALL + "/" + agent.text("/id"), changes);

        // Then
        assertThat(agent.toString()).doesNotContain("open-sesame");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.text("/displayName")).isEqualTo("Renamed");
        assertThat(changed.body().at("/published/tools/0/auth"))
                .isEqualTo(Json.object().put("type", "access_token"));
        assertThat(changed.toString()).doesNotContain("open-sesame");
    }

    @Test
    void isRunByAFlow_onceItIsPublished_andThenStays() {
        // Given
        var agent = made(wish("Worker"));
        var id = agent.text("/id");
        var step = Json.object().put("prompt", "Work.").put("agentId", agent.text("/externalId"));
        var flow = LiveFlow.publish(
                ada, FlowScript.webhook().piece("step_1", "@activepieces/piece-ai", "0.1.12", "run_agent", step));
        model.clear();

        // When
        var early = flow.run(Json.object());

        // Then
        assertThat(early.path("status").asText()).isEqualTo("FAILED");
        assertThat(early.at("/steps/step_1/errorMessage").asText()).contains("not published");

        // When
        assertThat(ada.api().post(ALL + "/" + id + "/publish", Json.object()).status())
                .isEqualTo(200);
        var run = flow.run(Json.object());

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(model.questions.getLast().at("/messages/0/content").asText()).isEqualTo("You help.");
        assertThat(ada.api()
                        .get("/v1/agents/conversations/runs?projectId=" + ada.projectId() + "&agentId=" + id)
                        .body()
                        .path("data")
                        .size())
                .isEqualTo(1);
        assertThat(ada.api()
                        .get(ALL + "/" + id + "?includeUsage=true")
                        .body()
                        .at("/publishedFlowsUsingAgent/total")
                        .asInt())
                .isEqualTo(1);

        // When
        var refused = ada.api().delete(ALL + "/" + id);

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("Mill");
        assertThat(ada.api().post(ALL + "/" + id + "/unpublish", Json.object()).status())
                .isEqualTo(409);
    }

    @Test
    void refusesWhatIsWrong() {
        assertThat(ada.api().post(ALL, wish("")).status()).isEqualTo(400);
        assertThat(ada.api().post(ALL, wish("x").put("icon", "boat")).text("/message"))
                .contains("body/icon");
        var blank = wish("Blank");
        blank.withObjectProperty("draft").put("instructions", " ");
        var id = made(blank).text("/id");
        assertThat(ada.api().post(ALL + "/" + id + "/publish", Json.object()).status())
                .isEqualTo(409);
        var tool = wish("Tool");
        tool.withObjectProperty("draft")
                .putArray("tools")
                .addObject()
                .put("type", "BOAT")
                .put("toolName", "x");
        assertThat(ada.api().post(ALL, tool).text("/message")).contains("body/draft/tools/0/type");
        var onCredits = wish("Credits");
        onCredits.withObjectProperty("draft").put("provider", "activepieces").put("modelName", "gpt-2");
        var refused = ada.api().post(ALL, onCredits);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("openai/gpt-5.5");
    }

    @Test
    void isSeenByThoseItIsSharedWith_andByNoStranger() {
        // Given
        var bob = server.signUp("bob@example.com", "Bob");
        var id = made(wish("Secret").put("visibility", "RESTRICTED")).text("/id");

        // Then
        assertThat(bob.api().get(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(bob.api().get(ALL).body().path("data").isEmpty()).isTrue();
        assertThat(ada.api().get(ALL + "/" + id).status()).isEqualTo(200);

        // When
        var stranger = Json.object();
        stranger.putArray("sharedWithUserIds").add("nobody0000000000000000");
        var refused = ada.api().post(ALL + "/" + id, stranger);

        // Then
        assertThat(refused.status()).isEqualTo(409);

        // When
        assertThat(ada.api().delete(ALL + "/" + id).status()).isEqualTo(204);

        // Then
        assertThat(ada.api().get(ALL + "/" + id).status()).isEqualTo(404);
    }
}
