package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Custom MCP servers of a project: selected tools, own tokens, and a search for servers with many tools. */
final class CustomServersIT {
    private static final String MCP = "@activepieces/piece-mcp";
    private static final int SERVERS_MAX = 3;
    private static final int LISTED_MAX = 11;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_MCP_SERVERS_MAX", "" + SERVERS_MAX)
            .with("AP_MCP_TOOLS_LISTED_MAX", "" + LISTED_MAX)
            .startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final TestServer.SignedIn mill = ada.inTeam("Mill " + Ids.next());
    private final String servers = "/v1/mcp/" + mill.projectId() + "/servers";

    private LiveFlow tool(String name) {
        var reply = Json.object().put("mode", "advanced");
        reply.putObject("response").putObject("response").put("text", "said by " + name);
        return LiveFlow.publish(
                mill,
                FlowScript.trigger(MCP, "0.1.0", "mcp_tool", """
                                {'toolName':'%s','toolDescription':'Says %s','returnsResponse':true,'inputSchema':[
                                  {'name':'who','type':'Text','required':false}]}
                                """.formatted(name, name))
                        .piece("reply", MCP, "0.1.0", "reply_to_mcp_client", reply));
    }

    private Answer create(String selection) {
        return mill.api().post(servers, json(selection));
    }

    private McpClient clientOf(Answer created) {
        assertThat(created.status()).as("%s", created).isEqualTo(201);
        return clientOf(created.text("/token"));
    }

    private McpClient clientOf(String token) {
        return McpClient.of(server.anonymous().with(token), McpClient.pathOf(mill));
    }

    private static List<String> names(McpClient client) {
        return client.ask("tools/list", Json.object())
                .body()
                .at("/result/tools")
                .valueStream()
                .map(tool -> tool.path("name").asText())
                .toList();
    }

    private static Answer call(McpClient client, String tool, ObjectNode arguments) {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return client.ask("tools/call", params);
    }

    @Test
    void offersTheChosenToolsOnly() {
        // given
        var rye = tool("Rye");
        var oat = tool("Oat");

        // when
        var single = clientOf(create("{'displayName':'One flow','flowIds':['" + rye.id() + "']}"));
        var flows = clientOf(create("{'displayName':'Flows','allFlows':true}"));
        var tables = clientOf(create("{'displayName':'Tables','tables':true,'disabledTools':['ap_delete_table']}"));

        // then
        assertThat(names(single)).containsExactly(nameOf("rye", rye));
        assertThat(names(flows)).containsExactly(nameOf("rye", rye), nameOf("oat", oat));
        assertThat(names(tables))
                .contains("ap_list_tables", "ap_insert_records")
                .doesNotContain("ap_delete_table");
        assertThat(names(tables)).noneMatch(name -> name.startsWith("rye") || name.equals("ap_create_flow"));
        assertThat(call(single, nameOf("rye", rye), Json.object()).text("/result/content/0/text"))
                .contains("said by Rye");
        for (var hidden : List.of(nameOf("oat", oat), "ap_list_flows", "ap_list_tables")) {
            assertThat(call(single, hidden, Json.object()).text("/error/message"))
                    .isEqualTo("Unknown tool: " + hidden);
            assertThat(call(single, "ap_call_tool", Json.object().put("name", hidden))
                            .text("/result/content/0/text"))
                    .contains("Unknown tool: " + hidden);
        }
        assertThat(call(tables, "ap_delete_table", Json.object()).text("/error/message"))
                .isEqualTo("Unknown tool: ap_delete_table");
    }

    private static String nameOf(String tool, LiveFlow flow) {
        return tool + "_" + flow.id().substring(0, 4);
    }

    @Test
    void ownTokenOpensItsServerOnly_untilItIsRotatedOrTheServerDeleted() {
        // given
        var own = McpClient.tokenOf(mill);
        var created = create("{'displayName':'Tables','tables':true}");
        var id = created.text("/id");
        var first = created.text("/token");
        var shown = mill.api().get(servers + "/" + id);
        var listed = mill.api().get(servers);

        // when
        var rotated = mill.api().post(servers + "/" + id + "/rotate", Json.object());
        var second = rotated.text("/token");

        // then
        assertThat(first).isNotEqualTo(second).isNotEqualTo(own);
        assertThat(Stream.of(shown, listed))
                .noneMatch(answer -> Json.text(answer.body()).contains("token"));
        assertThat(clientOf(first).ping().status()).isEqualTo(401);
        assertThat(names(clientOf(second))).contains("ap_list_tables");
        assertThat(clientOf(own).ping().status()).isEqualTo(200);
        assertThat(McpClient.of(server.anonymous().with(second), "/mcp").ping().status())
                .isEqualTo(200);
        var elsewhere = McpClient.pathOf(ada.inTeam("Other " + Ids.next()));
        assertThat(McpClient.of(server.anonymous().with(second), elsewhere)
                        .ping()
                        .status())
                .isEqualTo(401);

        assertThat(mill.api().delete(servers + "/" + id).status()).isEqualTo(204);
        assertThat(clientOf(second).ping().status()).isEqualTo(401);
        assertThat(clientOf(own).ping().status()).isEqualTo(200);
        assertThat(mill.api().get(servers + "/" + id).status()).isEqualTo(404);
    }

    @Test
    void theServerOfTheContractStaysAsItWas_besideCustomOnes() {
        // given
        var before = mill.api().get("/v1/mcp/" + mill.projectId());

        // when
        create("{'displayName':'Nothing'}");
        mill.api().post("/v1/mcp/" + mill.projectId() + "/rotate", Json.object());

        // then
        var after = mill.api().get("/v1/mcp/" + mill.projectId());
        assertThat(after.text("/id")).isEqualTo(before.text("/id"));
        assertThat(after.text("/token")).isNotEqualTo(before.text("/token")).isNotBlank();
        assertThat(after.body().path("disabledTools").isNull()).isTrue();
        assertThat(after.body().path("pinnedTools")).isEmpty();
    }

    @Test
    void updateChangesNamedFieldsOnly_andAFlowThatIsDeletedLeaves() {
        // given
        var rye = tool("Rye");
        var id = create("{'displayName':'Mixed','tables':true,'flowIds':['" + rye.id() + "']}")
                .text("/id");

        // when
        var renamed = mill.api().post(servers + "/" + id, json("{'displayName':'Renamed','platformTools':true}"));
        mill.api().delete("/v1/flows/" + rye.id());
        Waiting.until(
                "the flow has left",
                () -> mill.api().get(servers + "/" + id).body().path("flowIds").isEmpty());
        var again = mill.api().post(servers + "/" + id, json("{'tables':false,'pinnedTools':['ap_list_flows']}"));

        // then
        assertThat(renamed.text("/displayName")).isEqualTo("Renamed");
        assertThat(renamed.body().path("tables").asBoolean()).isTrue();
        assertThat(renamed.body().path("platformTools").asBoolean()).isTrue();
        assertThat(renamed.text("/flowIds/0")).isEqualTo(rye.id());
        assertThat(again.status()).as("%s", again).isEqualTo(200);
        assertThat(again.body().path("tables").asBoolean()).isFalse();
        assertThat(again.text("/pinnedTools/0")).isEqualTo("ap_list_flows");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {}                                           | 400 | displayName
        {'displayName':''}                           | 400 | displayName
        {'displayName':7}                            | 400 | displayName
        {'displayName':'x','tables':'yes'}           | 400 | tables
        {'displayName':'x','flowIds':'a'}            | 400 | flowIds
        {'displayName':'x','flowIds':[7]}            | 400 | flowIds
        {'displayName':'x','disabledTools':null}     | 400 | disabledTools
        {'displayName':'x','flowIds':['8c2vKq0aXbY7mNpTzR4eL']} | 409 | found 8c2vKq0aXbY7mNpTzR4eL
        """)
    void refusesWhatIsNoSelection_andCreatesNothing(String body, int status, String field) {
        var refused = create(body);

        assertThat(refused.status()).as("%s", refused).isEqualTo(status);
        assertThat(Json.text(refused.body())).contains(field);
        assertThat(mill.api().get(servers).body().path("data")).isEmpty();
    }

    @Test
    void refusesListsThatAreTooLong() {
        var body = Json.object().put("displayName", "x");
        for (var at = 0; at < 101; at++) {
            body.withArray("/pinnedTools").add("tool_" + at);
        }
        assertThat(mill.api().post(servers, body).status()).isEqualTo(400);
        body.withArray("/pinnedTools").remove(0);
        assertThat(mill.api().post(servers, body).status()).isEqualTo(201);
    }

    @Test
    void refusesFlowsAndServersOfAnotherProject() {
        var other = ada.inTeam("Other " + Ids.next());
        var flow = LiveFlow.publish(other, FlowScript.webhook());
        var foreign = create("{'displayName':'Mine'}").text("/id");

        assertThat(create("{'displayName':'x','flowIds':['" + flow.id() + "']}").status())
                .isEqualTo(409);
        var path = "/v1/mcp/" + other.projectId() + "/servers/" + foreign;
        assertThat(other.api().get(path).status()).isEqualTo(404);
        assertThat(other.api().post(path, json("{'tables':true}")).status()).isEqualTo(404);
        assertThat(other.api().post(path + "/rotate", Json.object()).status()).isEqualTo(404);
        assertThat(other.api().delete(path).status()).isEqualTo(404);
        assertThat(mill.api().get(servers + "/" + foreign).body().path("tables").asBoolean())
                .isFalse();
    }

    @Test
    void createsAsManyServersAsAllowed_andNoneBeyond() {
        for (var at = 0; at < SERVERS_MAX; at++) {
            assertThat(create("{'displayName':'x'}").status()).isEqualTo(201);
        }

        var beyond = create("{'displayName':'x'}");

        assertThat(beyond.status()).isEqualTo(409);
        assertThat(beyond.text("/params/message"))
                .startsWith("MCP servers: expected at most 3 in the project")
                .endsWith("raise AP_MCP_SERVERS_MAX");
        var page = mill.api().get(servers + "?limit=2");
        assertThat(page.body().path("data")).hasSize(2);
        assertThat(mill.api()
                        .get(servers + "?limit=2&cursor=" + page.text("/next"))
                        .body()
                        .path("data"))
                .hasSize(1);
    }

    @Test
    void readersSeeServers_andChangeNone() {
        var id = create("{'displayName':'x'}").text("/id");
        var viewer = server.signUp("viewer" + Ids.next() + "@example.com", "Vic");
        server.join(viewer, mill.projectId(), "Viewer");

        assertThat(viewer.api().get(servers + "/" + id).status()).isEqualTo(200);
        assertThat(viewer.api().post(servers, json("{'displayName':'y'}")).status())
                .isEqualTo(403);
        assertThat(viewer.api()
                        .post(servers + "/" + id, json("{'tables':true}"))
                        .status())
                .isEqualTo(403);
        assertThat(viewer.api()
                        .post(servers + "/" + id + "/rotate", Json.object())
                        .status())
                .isEqualTo(403);
        assertThat(viewer.api().delete(servers + "/" + id).status()).isEqualTo(403);
    }

    @Test
    void everyChangeIsAudited_withoutTheToken() {
        var created = create("{'displayName':'Support'}");
        var path = servers + "/" + created.text("/id");
        mill.api().post(path, json("{'tables':true}"));
        mill.api().post(path + "/rotate", Json.object());
        mill.api().delete(path);

        var events = mill.api()
                .get("/v1/audit-events?limit=50&projectId=" + mill.projectId())
                .body()
                .path("data")
                .valueStream()
                .filter(event -> event.path("action").asText().startsWith("mcp.server."))
                .toList();
        assertThat(events.stream().map(event -> event.path("action").asText()))
                .containsExactlyInAnyOrder(
                        "mcp.server.created", "mcp.server.updated", "mcp.server.token.rotated", "mcp.server.deleted");
        assertThat(events.stream()
                        .map(event -> event.at("/data/mcpServer/displayName").asText()))
                .containsOnly("Support");
        assertThat(events.toString()).doesNotContain(created.text("/token"));
    }

    @Test
    void listsAllTools_asManyAsTheListMayHave_andASearchBeyond() {
        // given
        var flows = Stream.of("Rye", "Oat", "Spelt").map(this::tool).toList();
        var tableTools = 8;
        var within = clientOf(create("{'displayName':'Within','tables':true,'allFlows':true}"));
        assertThat(names(within)).hasSize(tableTools + flows.size()).hasSize(LISTED_MAX);

        // when
        var more = tool("Barley");

        // then
        assertThat(names(within)).containsExactly("ap_search_tools", "ap_call_tool");
        var found = Json.trusted(call(within, "ap_search_tools", Json.object().put("query", "barley says"))
                .text("/result/content/0/text"));
        assertThat(found.at("/tools/0/name").asText()).isEqualTo(nameOf("barley", more));
        assertThat(found.at("/tools/0/inputSchema/properties/who/type").asText())
                .isEqualTo("string");
        var request = Json.object().put("name", nameOf("barley", more));
        request.putObject("arguments").put("who", "Ada");
        assertThat(call(within, "ap_call_tool", request).text("/result/content/0/text"))
                .contains("said by Barley");
        assertThat(call(within, nameOf("barley", more), Json.object()).text("/result/content/0/text"))
                .contains("said by Barley");
    }

    @Test
    void theServerOfAProjectListsPinnedToolsBesidesTheSearch() {
        // given a platform with more tools than the list may have
        var client = McpClient.ofProject(server, mill);
        assertThat(names(client)).containsExactly("ap_search_tools", "ap_call_tool");

        // when
        mill.api()
                .post(
                        "/v1/mcp/" + mill.projectId(),
                        json("{'pinnedTools':['ap_list_flows','nothing','ap_create_table','ap_list_flows'],"
                                + "'disabledTools':['ap_delete_flow']}"));

        // then
        assertThat(names(client))
                .containsExactly("ap_search_tools", "ap_call_tool", "ap_list_flows", "ap_create_table");
        assertThat(call(client, "ap_search_tools", json("{'query':'delete flow','limit':50}"))
                        .text("/result/content/0/text"))
                .contains("ap_delete_step")
                .doesNotContain("\"ap_delete_flow\"");
        assertThat(call(client, "ap_call_tool", json("{'name':'ap_delete_flow','arguments':{}}"))
                        .text("/result/content/0/text"))
                .contains("Unknown tool");
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) FlowScript.json(text);
    }

    @Test
    void aFoundToolIsCalledWithThePermissionsOfTheCaller() {
        // given
        var viewer = server.signUp("viewer" + Ids.next() + "@example.com", "Vic");
        server.join(viewer, mill.projectId(), "Viewer");
        var path = "/api" + McpClient.pathOf(mill);
        var client = McpGuest.of(server, viewer.api(), path, Optional.of(mill.projectId()))
                .at(path);
        var request = json("{'name':'ap_create_flow','arguments':{'flowName':'New'}}");

        // when
        var refused = call(client, "ap_call_tool", request).text("/result/content/0/text");
        var nested = call(client, "ap_call_tool", json("{'name':'ap_call_tool','arguments':{'name':'x'}}"));
        var allowed = call(client, "ap_call_tool", json("{'name':'ap_list_flows'}"));

        // then
        assertThat(refused)
                .isEqualTo(call(client, "ap_create_flow", json("{'flowName':'New'}"))
                        .text("/result/content/0/text"))
                .contains("Permission denied", "WRITE_FLOW");
        assertThat(nested.text("/result/content/0/text"))
                .contains("Invalid arguments", "expected a tool that ap_search_tools has found");
        assertThat(allowed.body().at("/result/isError").asBoolean()).isFalse();
        assertThat(server.count("select count(*) from flow where project_id = $1", mill.projectId()))
                .isZero();
    }

    @Test
    void aUserWhoLostAProjectNeitherListsNorFindsItsFlows() {
        // given
        var flow = tool("Secret recipe");
        var viewer = server.signUp("viewer" + Ids.next() + "@example.com", "Vic");
        server.join(viewer, mill.projectId(), "Viewer");
        var client = McpGuest.of(server, viewer.api(), "/mcp", Optional.empty()).at("/mcp");
        call(client, "ap_set_project_context", Json.object().put("projectId", mill.projectId()));
        var query = Json.object().put("query", "secret recipe");
        assertThat(call(client, "ap_search_tools", query).text("/result/content/0/text"))
                .contains(nameOf("secret_recipe", flow));

        // when
        var members = mill.api().get("/v1/project-members?projectId=" + mill.projectId());
        var member = members.body()
                .path("data")
                .valueStream()
                .filter(one -> one.path("userId").asText().equals(viewer.userId()))
                .findFirst()
                .orElseThrow();
        assertThat(mill.api()
                        .delete("/v1/project-members/" + member.path("id").asText())
                        .status())
                .isEqualTo(204);

        // then
        assertThat(call(client, "ap_search_tools", query).text("/result/content/0/text"))
                .doesNotContain(nameOf("secret_recipe", flow));
    }
}
