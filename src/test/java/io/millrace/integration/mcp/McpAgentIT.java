package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Agents, created and run by the tools of a project's MCP server. */
final class McpAgentIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");
    private static McpClient client = clientOf(mill);

    private static McpClient clientOf(TestServer.SignedIn owner) {
        var token = owner.api().get("/v1/mcp/" + owner.projectId()).text("/token");
        return McpClient.of(server.anonymous().with(token), "/v1/mcp/" + owner.projectId() + "/http");
    }

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @BeforeEach
    void forget() {
        model.clear();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }

    @Test
    void buildsPublishesAndRunsAnAgent() {
        // When
        var created = client.call("ap_create_agent", json("""
                {'displayName':'Miller','instructions':'You grind.','maxSteps':3,
                 'structuredOutput':[{'displayName':'Sacks','type':'number'}]}
                """));
        var listed = Json.trusted(client.call("ap_list_agents", Json.object()));
        var agent = listed.path(0);
        var id = Json.object().put("agentId", agent.path("agentId").asText());
        var early = client.call(
                "ap_run_agent",
                json("{'instruction':'Grind.'}")
                        .put("agentId", agent.path("externalId").asText()));
        var changed = client.call("ap_update_agent", id.deepCopy().put("instructions", "You grind well."));
        var published = client.call("ap_publish_agent", id);
        model.then(ModelServer.calls("updateTaskStatus", "{'output':{'Sacks':4}}"));
        var run = client.call(
                "ap_run_agent",
                json("{'instruction':'Grind.'}")
                        .put("agentId", agent.path("externalId").asText()));
        var shown = Json.trusted(client.call("ap_get_agent", id));
        var withdrawn = client.call("ap_unpublish_agent", id);
        var deleted = client.call("ap_delete_agent", id);

        // Then
        assertThat(created).contains("The agent was created.", "You grind.");
        assertThat(agent.path("displayName").asText()).isEqualTo("Miller");
        assertThat(agent.path("isPublished").asBoolean()).isFalse();
        assertThat(early).contains("VALIDATION").contains("not published");
        assertThat(changed).contains("You grind well.");
        assertThat(published).contains("The agent was published.");
        assertThat(run).contains("The agent succeeded", "\"Sacks\":4");
        assertThat(model.questions.getFirst().toString()).contains("You grind well.");
        assertThat(shown.at("/draft/maxSteps").asInt()).isEqualTo(3);
        assertThat(shown.at("/published/instructions").asText()).isEqualTo("You grind well.");
        assertThat(withdrawn).contains("withdrawn");
        assertThat(deleted).contains("deleted");
        assertThat(Json.trusted(client.call("ap_list_agents", Json.object()))).isEmpty();
    }

    @Test
    void runsAnAgentForOneTask_andReportsItsCalls() {
        // Given
        model.then(ModelServer.calls("none_such", "{}")).then(ModelServer.text("I could not."));

        // When
        var run = client.call("ap_run_agent", json("{'instruction':'Do it.','modelName':'mill-1'}"));
        var runId = run.replaceAll("(?s).*\\(run (\\w{21})\\).*", "$1");
        var again = Json.trusted(client.call("ap_get_agent_run", Json.object().put("runId", runId)));

        // Then
        assertThat(run).contains("did not succeed", "I could not.");
        assertThat(again.path("status").asText()).isEqualTo("IDLE");
    }

    @Test
    void namesTheInvalidArguments() {
        assertThat(client.call("ap_create_agent", json("{'displayName':'A'}"))).contains("instructions is missing");
        assertThat(client.call("ap_create_agent", json("{'displayName':'A','instructions':'B','colour':'red'}")))
                .contains("colour is not an argument of this tool");
        assertThat(client.call(
                        "ap_create_agent",
                        json("{'displayName':'A','instructions':'B','tools':[{'type':'FLOW','toolName':'f'}]}")))
                .contains("externalFlowId");
        assertThat(client.call("ap_run_agent", json("{'instruction':'Work.','maxSteps':0}")))
                .contains("maxSteps");
        assertThat(client.call("ap_run_agent", json("{'instruction':'Work.','provider':'openai'}")))
                .contains("Not found");
    }

    @Test
    void reachesNoAgentOfAnotherProject() {
        // Given
        var other = ada.inTeam("Elsewhere");
        var theirs = clientOf(other);
        theirs.call("ap_create_agent", json("{'displayName':'Theirs','instructions':'Secret.'}"));
        var id = Json.trusted(theirs.call("ap_list_agents", Json.object()))
                .at("/0/agentId")
                .asText();
        var run = other.api()
                .post("/v1/agents/runs", json("{'instruction':'Secret.'}").put("projectId", other.projectId()))
                .text("/runId");

        // Then
        for (var tool : new String[] {"ap_get_agent", "ap_update_agent", "ap_publish_agent", "ap_delete_agent"}) {
            assertThat(client.call(tool, Json.object().put("agentId", id)))
                    .as(tool)
                    .contains("Not found: agent")
                    .doesNotContain("Secret");
        }
        assertThat(client.call("ap_get_agent_run", Json.object().put("runId", run)))
                .contains("Not found")
                .doesNotContain("Secret");
        assertThat(client.call("ap_list_agents", Json.object())).doesNotContain("Theirs");
        assertThat(theirs.call("ap_get_agent", Json.object().put("agentId", id)))
                .contains("Secret.");
    }
}
