package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rights of the token of an MCP server: those of its project, and none on the platform. */
final class McpServerTokenIT {
    private static final Set<String> OF_ADMINISTRATORS = Set.of("ap_add_openapi_piece");
    private static final String AGENT =
            "{'displayName':'Theirs','description':'Helps.','icon':'bot','color':'BLUE','draft':{'instructions':'Secret.'}}";
    private static final String DOCUMENT = """
            openapi: 3.0.0
            info: {title: Small, version: '1'}
            servers: [{url: 'https://small.example.com'}]
            paths: {/a: {get: {operationId: readA, responses: {}}}}
            """;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn max = server.signUp("max@example.com", "Max", PlatformRole.MEMBER);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private TestServer.SignedIn mill;
    private McpClient client;

    /** The token of a new project's server, as read by a member of the platform who may change the server. */
    @BeforeEach
    void readTheToken() {
        mill = ada.inTeam("Mill");
        server.join(max, mill.projectId(), "Editor");
        var token = max.api().get("/v1/mcp/" + mill.projectId()).text("/token");
        client = McpClient.of(server.anonymous().with(token), McpClient.pathOf(mill));
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) FlowScript.json(text);
    }

    private static String agentOf(TestServer.SignedIn owner, String projectId, String visibility) {
        var wanted = json(AGENT).put("projectId", projectId).put("visibility", visibility);
        var made = owner.api().post("/v1/agents", wanted);
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("/id");
    }

    private List<JsonNode> ownTools() {
        return client.ask("tools/list", Json.object())
                .body()
                .at("/result/tools")
                .valueStream()
                .filter(tool -> tool.path("name").asText().startsWith("ap_"))
                .toList();
    }

    /** Valid arguments of a tool; every text of a free form is the given id. */
    private static ObjectNode argumentsOf(JsonNode tool, String id) {
        var arguments = Json.object();
        tool.at("/inputSchema/required").forEach(name -> {
            var wanted = tool.at("/inputSchema/properties/" + name.asText());
            switch (wanted.path("type").asText()) {
                case "string" ->
                    arguments.put(name.asText(), wanted.path("enum").path(0).asText(id));
                case "integer", "number" -> arguments.put(name.asText(), 1);
                case "boolean" -> arguments.put(name.asText(), false);
                case "array" -> arguments.putArray(name.asText());
                case "object" -> arguments.putObject(name.asText());
                default -> throw new AssertionError("unexpected type of " + name + " of " + tool.path("name"));
            }
        });
        return arguments;
    }

    @Test
    void mayCallEveryOwnTool_exceptThoseOfAdministratorsOfThePlatform() {
        // when
        var refused = new TreeSet<String>();
        for (var tool : ownTools()) {
            var name = tool.path("name").asText();
            var text = client.call(name, argumentsOf(tool, "none"));
            assertThat(text).as(name).isNotBlank().doesNotContain("request id");
            if (text.contains("PERMISSION_DENIED") || text.contains("AUTHORIZATION")) {
                refused.add(name);
            }
        }

        // then
        assertThat(ownTools()).hasSizeGreaterThan(40);
        assertThat(refused).isEqualTo(OF_ADMINISTRATORS);
    }

    @Test
    void reachesNothingOfAnotherProjectByAnyTool() {
        // given
        var other = ada.inTeam("Other");
        var flow = LiveFlow.draft(other, FlowScript.webhook().returnJson("answer", "{'says':'Secret.'}"));
        var table = other.api()
                .post("/v1/tables", Json.object().put("name", "Secret.").put("projectId", other.projectId()))
                .text("/id");
        var agent = agentOf(other, other.projectId(), "PROJECT");

        // then
        for (var tool : ownTools()) {
            for (var id : List.of(flow.id(), table, agent, other.projectId())) {
                var name = tool.path("name").asText();
                assertThat(client.call(name, argumentsOf(tool, id))).as(name).doesNotContain("Secret.");
            }
        }
        assertThat(other.api().get("/v1/flows/" + flow.id()).status()).isEqualTo(200);
        assertThat(other.api().get("/v1/tables/" + table).status()).isEqualTo(200);
        assertThat(other.api().get("/v1/agents/" + agent).status()).isEqualTo(200);
    }

    private ApiClient.Answer initialize(String token) {
        return McpClient.of(server.anonymous().with(token), McpClient.pathOf(mill))
                .ask("tools/list", Json.object());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete from project_member where user_id = $1",
                "update project_member set project_role_id = 'defaultRoleViewer0000' where user_id = $1",
                "update platform_user set status = 'INACTIVE' where id = $1"
            })
    void ends_whenAReaderLosesTheRights(String change) {
        // given tokens that an editor has received
        var editor = server.signUp("ed" + COUNT.incrementAndGet() + "@example.com", "Ed", PlatformRole.MEMBER);
        server.join(editor, mill.projectId(), "Editor");
        var path = "/v1/mcp/" + mill.projectId();
        var token = editor.api().get(path).text("/token");
        var custom = editor.api().post(path + "/servers", json("{'displayName':'All','platformTools':true}"));
        assertThat(initialize(token).status()).isEqualTo(200);
        assertThat(initialize(custom.text("/token")).status()).isEqualTo(200);

        // when
        server.execute(change, editor.userId());

        // then
        assertThat(initialize(token).status()).isEqualTo(401);
        assertThat(initialize(custom.text("/token")).status()).isEqualTo(401);

        // when another editor reads and replaces the tokens
        var replaced = max.api().get(path).text("/token");
        var rotated = max.api().post(path + "/servers/" + custom.text("/id") + "/rotate", Json.object());

        // then
        assertThat(replaced).isNotEqualTo(token);
        assertThat(max.api().get(path).text("/token")).isEqualTo(replaced);
        assertThat(initialize(replaced).status()).isEqualTo(200);
        assertThat(initialize(rotated.text("/token")).status()).isEqualTo(200);
        assertThat(initialize(token).status()).isEqualTo(401);
    }

    @Test
    void isNotGiven_toMembersWithoutTheRightsOfItsTools() {
        // given
        var role = Json.object().put("name", "Connector").put("type", "CUSTOM");
        role.putArray("permissions").add("READ_MCP").add("WRITE_MCP");
        assertThat(ada.api().post("/v1/project-roles", role).status()).isEqualTo(201);
        var custom = max.api()
                .post("/v1/mcp/" + mill.projectId() + "/servers", json("{'displayName':'All','platformTools':true}"));
        var member = server.signUp("con@example.com", "Con", PlatformRole.MEMBER);
        server.join(member, mill.projectId(), "Connector");
        var path = "/v1/mcp/" + mill.projectId();

        // when
        var read = member.api().get(path);
        var changed = member.api().post(path, json("{'disabledTools':[]}"));
        var refused = List.of(
                member.api().post(path + "/rotate", Json.object()),
                member.api().post(path + "/servers", json("{'displayName':'Mine','platformTools':true}")),
                member.api().post(path + "/servers/" + custom.text("/id"), json("{'tables':true}")),
                member.api().post(path + "/servers/" + custom.text("/id") + "/rotate", Json.object()));

        // then
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body().path("token").isNull()).isTrue();
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body().path("token").isNull()).isTrue();
        assertThat(refused)
                .allSatisfy(answer -> assertThat(answer.text("/code")).isEqualTo("PERMISSION_DENIED"));
        assertThat(initialize(custom.text("/token")).status()).isEqualTo(200);
    }

    @Test
    void installsNoPieceOnThePlatform() {
        // given
        var request = Json.object().put("document", DOCUMENT).put("name", "by-token");
        var custom = max.api()
                .post("/v1/mcp/" + mill.projectId() + "/servers", json("{'displayName':'All','platformTools':true}"));

        // then
        assertThat(client.call("ap_add_openapi_piece", request)).contains("PERMISSION_DENIED");
        assertThat(client.call("ap_add_openapi_piece", request.deepCopy().put("dryRun", true)))
                .contains("PERMISSION_DENIED");
        assertThat(McpClient.of(server.anonymous().with(custom.text("/token")), McpClient.pathOf(mill))
                        .call("ap_add_openapi_piece", request))
                .contains("PERMISSION_DENIED");
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-by-token").status()).isEqualTo(404);
    }

    @Test
    void opensNoRouteOfTheApi() {
        var api = server.anonymous().with(McpClient.tokenOf(mill));

        assertThat(api.get("/v1/projects/" + mill.projectId()).status()).isEqualTo(401);
        assertThat(api.get("/v1/users").status()).isEqualTo(401);
    }

    @Test
    void findsNoRestrictedAgent_evenOfThePlatformsOwner() {
        // given
        var agent = agentOf(ada, mill.projectId(), "RESTRICTED");
        var of = Json.object().put("agentId", agent);

        // then
        for (var tool : List.of(
                "ap_get_agent", "ap_update_agent", "ap_publish_agent", "ap_unpublish_agent", "ap_delete_agent")) {
            assertThat(client.call(tool, of))
                    .as(tool)
                    .contains("Not found: agent")
                    .doesNotContain("Secret.");
        }
        assertThat(client.call("ap_list_agents", Json.object())).doesNotContain("Theirs");
        assertThat(mill.api().get("/v1/agents/" + agent).status()).isEqualTo(200);
    }

    @Test
    void changesAnAgentOfTheProject_butDeletesNoneOfAMember() {
        // given
        var of = Json.object().put("agentId", agentOf(max, mill.projectId(), "PROJECT"));

        // then
        assertThat(client.call("ap_list_agents", Json.object())).contains("Theirs");
        assertThat(client.call("ap_get_agent", of)).contains("Secret.");
        assertThat(client.call("ap_update_agent", of.deepCopy().put("displayName", "Ours")))
                .contains("The agent was updated.");
        assertThat(client.call("ap_delete_agent", of)).contains("only the owner of an agent");
    }

    @Test
    void isNamedInTheAuditLogAsThePlatformsOwner() {
        // when
        client.call("ap_create_agent", json("{'displayName':'Audited','instructions':'Grind.'}"));

        // then
        var events =
                ada.api().get("/v1/audit-events?projectId=" + mill.projectId()).body();
        var created = events.path("data")
                .valueStream()
                .filter(event -> event.path("action").asText().equals("agent.created"))
                .findFirst();
        assertThat(created).hasValueSatisfying(event -> {
            assertThat(event.path("userId").asText()).isEqualTo(ada.userId());
            assertThat(event.path("projectId").asText()).isEqualTo(mill.projectId());
        });
    }
}
