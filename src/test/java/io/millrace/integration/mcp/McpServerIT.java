package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ToolServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The MCP server of a project: its record, and flows as tools. */
final class McpServerIT {
    private static final String MCP = "@activepieces/piece-mcp";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");
    private static String path = McpClient.pathOf(mill);
    private static McpClient client = McpClient.ofProject(server, mill);

    /** A flow that is a tool with a parameter of every type. */
    private static LiveFlow tool(String name, boolean waits, String replyText) {
        var input = """
                {'toolName':'%s','toolDescription':'Says %s','returnsResponse':%s,'inputSchema':[
                  {'name':'who','type':'Text','required':true,'description':'Whom to greet'},
                  {'name':'loud','type':'Boolean','required':false},
                  {'name':'times','type':'Number','required':false},
                  {'name':'when','type':'Date','required':false},
                  {'name':'words','type':'Array','required':false},
                  {'name':'more','type':'Object','required':false}]}
                """.formatted(name, name, waits);
        var script = FlowScript.trigger(MCP, "0.1.0", "mcp_tool", input);
        if (!replyText.isEmpty()) {
            var reply = Json.object().put("mode", "advanced");
            reply.putObject("response").putObject("response").put("text", replyText);
            script.piece("reply", MCP, "0.1.0", "reply_to_mcp_client", reply);
        }
        return LiveFlow.publish(mill, script);
    }

    @Test
    void toolsMakeListAndRunTestsOfAFlow() {
        // Given
        var flow = LiveFlow.publish(
                mill, FlowScript.webhook().returnJson("answer", "{'says':'{{trigger.output.body.x}}'}"));
        var run = flow.run(Json.object().put("x", 7));
        var of = Json.object().put("flowId", flow.id());

        // When
        var made = client.call(
                "ap_make_flow_test",
                of.deepCopy().put("flowRunId", run.path("id").asText()).put("name", "Seven"));
        var listed = client.call("ap_list_flow_tests", of);
        var passed = client.call("ap_run_flow_tests", of);
        flow.change(FlowScript.webhook().returnJson("answer", "{'says':8}"));
        var failed = client.call("ap_run_flow_tests", of);
        var published = client.call("ap_run_flow_tests", of.deepCopy().put("version", "published"));

        // Then
        assertThat(made).contains("The test was added.");
        assertThat(listed).contains("\"name\":\"Seven\"");
        assertThat(passed).contains("All 1 tests pass.");
        assertThat(failed).contains("1 of 1 tests do not pass.").contains("\"path\":\"answer.body.says\"");
        assertThat(published).contains("All 1 tests pass.");
    }

    @Test
    void aToolComparesTheDraftWithRecordedRuns() {
        // Given
        var flow = LiveFlow.publish(
                mill, FlowScript.webhook().returnJson("answer", "{'says':'{{trigger.output.body.x}}'}"));
        flow.run(Json.object().put("x", 7));
        var of = Json.object().put("flowId", flow.id());

        // When
        var same = client.call("ap_redecide_runs", of);
        flow.change(FlowScript.webhook().returnJson("answer", "{'says':8}"));
        var changed = client.call("ap_redecide_runs", of);
        var published = client.call("ap_redecide_runs", of.deepCopy().put("version", "published"));
        var unknown = client.call("ap_redecide_runs", of.deepCopy().put("version", "nonsense"));

        // Then
        assertThat(same)
                .contains("0 of 1 recorded runs would take another branch.")
                .contains("\"kind\":\"SAME\"");
        assertThat(changed).contains("\"kind\":\"OTHER_ANSWER\"");
        assertThat(published).contains("\"same\":1");
        assertThat(unknown).doesNotContain("recorded runs would take");
    }

    @Test
    void publicationByATool_needsPassingTests_whenTheProjectRequiresThem() {
        // Given
        var strict = ada.inTeam("Strict");
        strict.api().post("/v1/projects/" + strict.projectId(), Json.object().put("flowTestsRequired", true));
        var flow = LiveFlow.draft(strict, FlowScript.webhook().returnJson("answer", "{'says':8}"));
        var test = "{'name':'Seven','trigger':{},'expectations':{'answer':{'body':{'says':7}}}}";
        strict.api().post("/v1/flows/" + flow.id() + "/tests", FlowScript.json(test));

        // When
        var refused = McpClient.ofProject(server, strict)
                .call("ap_lock_and_publish", Json.object().put("flowId", flow.id()));

        // Then
        assertThat(refused).contains("FLOW_TESTS_FAILED").contains("Seven");
    }

    @Test
    void aRefusedTreeLeavesNoFlow() {
        // Given
        var project = ada.inTeam("Refused trees");
        var tools = McpClient.ofProject(server, project);
        var unknownStep = FlowScript.webhook().tree();
        unknownStep.set("nextAction", FlowScript.json("{'name':'step_1','type':'NONSENSE'}"));

        // When
        var incomplete = tools.call("ap_build_flow", tree("Incomplete", FlowScript.json("{'name':'trigger'}")));
        var unknown = tools.call("ap_build_flow", tree("Unknown", unknownStep));
        var built = tools.callForJson(
                "ap_build_flow", tree("Built", FlowScript.webhook().tree()));

        // Then
        assertThat(incomplete).contains("INVALID_INPUT").contains("body/request/trigger");
        assertThat(unknown).doesNotContain("The flow was built.");
        var flows = project.api()
                .get("/v1/flows?projectId=" + project.projectId())
                .body()
                .path("data");
        assertThat(flows).hasSize(1);
        assertThat(flows.at("/0/id").asText())
                .isEqualTo(built.path("flowId").asText())
                .isNotEmpty();
        assertThat(flows.at("/0/createdBy/type").asText()).isEqualTo("MCP");
        assertThat(flows.at("/0/version/trigger/settings/pieceName").asText()).isEqualTo("@activepieces/piece-webhook");
    }

    @Test
    void aCopyKeepsConnectionsAndNotes_withoutTheSamplesOfTheOriginal() {
        // Given
        var settings = Json.object().put("auth", "{{connections['mail']}}").put("url", "{{connections['sms']['url']}}");
        var script =
                FlowScript.webhook().piece("send", "@activepieces/piece-http", "0.11.13", "send_request", settings);
        var flow = LiveFlow.draft(mill, script);
        var note = client.call(
                "ap_manage_notes",
                Json.object().put("flowId", flow.id()).put("operation", "ADD").put("content", "Mind it"));
        assertThat(note).contains("The note was added.");
        var sample = FlowScript.json(
                "{'type':'SAVE_SAMPLE_DATA','request':{'stepName':'send','payload':{'a':1},'type':'OUTPUT'}}");
        assertThat(flow.operate(sample).status()).isEqualTo(200);

        // When
        var copy = client.callForJson("ap_duplicate_flow", Json.object().put("flowId", flow.id()));

        // Then
        var version = mill.api()
                .get("/v1/flows/" + copy.path("flowId").asText())
                .body()
                .path("version");
        var input = version.at("/trigger/nextAction/settings/input");
        assertThat(input.path("auth").asText()).isEqualTo("{{connections['mail']}}");
        assertThat(input.path("url").asText()).isEqualTo("{{connections['sms']['url']}}");
        assertThat(version.path("connectionIds").toString()).isEqualTo("[\"mail\"]");
        assertThat(version.at("/notes/0/content").asText()).isEqualTo("Mind it");
        assertThat(version.at("/trigger/nextAction/settings/sampleData").isEmpty())
                .isTrue();
    }

    private static ObjectNode tree(String displayName, JsonNode trigger) {
        return Json.object().put("displayName", displayName).set("trigger", trigger);
    }

    @Test
    void showsEveryColumnOfTheSameName() {
        var table = client.callForJson("ap_create_table", (ObjectNode)
                FlowScript.json("{'name':'Notes','fields':[{'name':'Note'},{'name':'Note'}]}"));
        var of = Json.object().put("tableId", table.path("tableId").asText());

        client.call(
                "ap_insert_records", of.deepCopy().set("records", FlowScript.json("[{'Note':'one','Note_2':'two'}]")));
        var found = Json.trusted(client.call("ap_find_records", of)).path(0);

        assertThat(found.path("values")).isEqualTo(FlowScript.json("{'Note':'one','Note_2':'two'}"));
    }

    @Test
    void toolsBuildAndFillTables() {
        // When
        var table = client.callForJson("ap_create_table", (ObjectNode)
                FlowScript.json("{'name':'Grain','fields':[{'name':'Name'},{'name':'Amount','type':'NUMBER'}]}"));
        var tableId = table.path("tableId").asText();
        var of = Json.object().put("tableId", tableId);
        var inserted = client.call(
                "ap_insert_records",
                of.deepCopy()
                        .set("records", FlowScript.json("[{'Name':'rye','Amount':9},{'Name':'oat','Amount':20}]")));
        var found = Json.trusted(client.call(
                        "ap_find_records",
                        of.deepCopy()
                                .set("filters", FlowScript.json("[{'field':'Amount','operator':'gt','value':10}]"))))
                .path(0);
        var recordId = found.path("recordId").asText();
        var updated = client.call(
                "ap_update_record",
                of.deepCopy().put("recordId", recordId).set("values", FlowScript.json("{'Amount':21}")));
        var field = client.call(
                "ap_manage_fields", of.deepCopy().put("operation", "ADD").put("name", "Note"));
        var unknown = client.call(
                "ap_update_record",
                of.deepCopy().put("recordId", recordId).set("values", FlowScript.json("{'Colour':1}")));
        var removed = client.call(
                "ap_delete_records", of.deepCopy().set("recordIds", Json.array().add(recordId)));
        var listed = client.call("ap_list_tables", Json.object());
        var deleted = client.call("ap_delete_table", of);

        // Then
        assertThat(inserted).contains("rye", "oat");
        assertThat(found.at("/values/Name").asText()).isEqualTo("oat");
        assertThat(updated).contains("\"21\"");
        assertThat(field).contains("Note");
        assertThat(unknown).contains("Not found: field Colour");
        assertThat(removed).contains("deleted");
        assertThat(listed).contains("Grain", tableId, "Note");
        assertThat(deleted).contains("deleted");
        assertThat(mill.api().get("/v1/tables/" + tableId).status()).isEqualTo(404);
    }

    @Test
    void toolsReachNoTableOfAnotherProject() {
        // Given
        var table = Json.object().put("name", "Elsewhere").put("projectId", ada.projectId());
        var tableId = ada.api().post("/v1/tables", table).text("/id");

        // When
        var answer = client.call("ap_delete_table", Json.object().put("tableId", tableId));

        // Then
        assertThat(answer).contains("Not found: table");
        assertThat(ada.api().get("/v1/tables/" + tableId).status()).isEqualTo(200);
    }

    @Test
    void offersAFlowAsATool_andReturnsItsReply() {
        // Given
        var flow = tool("Greet  Somebody!", true, "Hello {{trigger['output']['who']}}");
        var name = "greet_somebody_" + flow.id().substring(0, 4);

        // When
        var listed = client.tool(name);
        var reply = client.call(name, Json.object().put("who", "Bob"));

        // Then
        assertThat(listed.path("description").asText()).isEqualTo("Says Greet  Somebody!");
        assertThat(listed.at("/inputSchema/type").asText()).isEqualTo("object");
        assertThat(listed.at("/inputSchema/required").toString()).isEqualTo("[\"who\"]");
        assertThat(listed.at("/inputSchema/properties/who/description").asText())
                .isEqualTo("Whom to greet");
        assertThat(listed.at("/inputSchema/properties/loud/type").asText()).isEqualTo("boolean");
        assertThat(listed.at("/inputSchema/properties/times/type").asText()).isEqualTo("number");
        assertThat(listed.at("/inputSchema/properties/when/format").asText()).isEqualTo("date-time");
        assertThat(listed.at("/inputSchema/properties/words/type").asText()).isEqualTo("array");
        assertThat(listed.at("/inputSchema/properties/more/type").asText()).isEqualTo("object");
        assertThat(reply).isEqualTo("{\"text\":\"Hello Bob\"}");
        assertThat(mill.api()
                        .get("/v1/mcp/" + mill.projectId())
                        .body()
                        .at("/flows")
                        .findValuesAsText("id"))
                .contains(flow.id());
    }

    @Test
    void listsThePiecesThatThePlanOfTheProjectAllows() {
        // Given
        var small = ada.inTeam("Small");
        var plan = Json.object();
        plan.putObject("plan")
                .put("piecesFilterType", "ALLOWED")
                .putArray("pieces")
                .add("@activepieces/piece-csv");
        small.api().post("/v1/projects/" + small.projectId(), plan);
        var tools = McpClient.ofProject(server, small);

        // When
        var listed = tools.callForJson("ap_list_pieces", Json.object());

        // Then
        assertThat(listed.at("/pieces").findValuesAsText("pieceName")).containsExactly("@activepieces/piece-csv");
    }

    @Test
    void refusesArgumentsThatDoNotFit_andStartsNothing() {
        // Given
        var flow = tool("strict", true, "ok");
        var name = "strict_" + flow.id().substring(0, 4);

        // When
        var missing = result(name, Json.object());
        var wrong = result(name, Json.object().put("who", 3));

        // Then
        assertThat(missing.path("isError").asBoolean()).isTrue();
        assertThat(missing.at("/content/0/text").asText()).contains("who is missing");
        assertThat(wrong.at("/content/0/text").asText()).contains("who: expected string, found number");
        assertThat(flow.runs()).isEmpty();
    }

    private static JsonNode result(String tool, ObjectNode arguments) {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return client.ask("tools/call", params).body().path("result");
    }

    @Test
    void saysSo_whenAFlowFails_orGivesNoReply_orIsNotWaitedFor() {
        // Given
        var silent = tool("silent", true, "");
        var failing = LiveFlow.publish(
                mill,
                FlowScript.trigger(
                                MCP,
                                "0.1.0",
                                "mcp_tool",
                                "{'toolName':'failing','toolDescription':'d','inputSchema':[],'returnsResponse':true}")
                        .code("step_1", "export const code = async () => { throw new Error('no'); };"));
        var unattended = tool("unattended", false, "");
        var args = Json.object().put("who", "Bob");

        // When, then
        var failed = result("failing_" + failing.id().substring(0, 4), args);
        assertThat(failed.at("/content/0/text").asText()).contains("The flow has failed");
        assertThat(failed.path("isError").asBoolean()).isTrue();
        assertThat(client.call("silent_" + silent.id().substring(0, 4), args)).contains("returned no response");
        assertThat(client.call("unattended_" + unattended.id().substring(0, 4), args))
                .startsWith("\u2705");
        assertThat(client.ask("tools/call", Json.object().put("name", "nothing_here"))
                        .text("/error/code"))
                .isEqualTo("-32602");
    }

    @Test
    void hidesToolsThatAreNamed() {
        // Given
        var team = ada.inTeam("Quiet");
        var place = "/v1/mcp/" + team.projectId();
        var quiet = McpClient.of(server.anonymous().with(McpClient.tokenOf(team)), place + "/http");
        assertThat(quiet.tool("ap_delete_flow").isMissingNode()).isFalse();
        var hidden = Json.object();
        hidden.putArray("disabledTools").add("ap_delete_flow");

        // When
        var updated = team.api().post(place, hidden);

        // Then
        assertThat(updated.body().path("disabledTools").toString()).isEqualTo("[\"ap_delete_flow\"]");
        assertThat(quiet.tool("ap_delete_flow").isMissingNode()).isTrue();
        assertThat(quiet.ask("tools/call", Json.object().put("name", "ap_delete_flow"))
                        .text("/error/code"))
                .isEqualTo("-32602");
        assertThat(team.api()
                        .post(place, Json.object())
                        .body()
                        .path("disabledTools")
                        .size())
                .isOne();
        var shown = team.api().post(place, Json.object().putNull("disabledTools"));
        assertThat(shown.body().path("disabledTools").isNull()).isTrue();
        assertThat(team.api()
                        .post(place, Json.object().put("disabledTools", "x"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void opensNothingWithATokenThatWasReplaced_orForAnotherProject() {
        // Given
        var team = ada.inTeam("Locks");
        var place = "/v1/mcp/" + team.projectId();
        var before = McpClient.tokenOf(team);
        assertThat(McpClient.tokenOf(team)).isEqualTo(before);

        // When
        var after = team.api().post(place + "/rotate", Json.object()).text("/token");

        // Then
        assertThat(after).isNotEqualTo(before);
        assertUnknown(McpClient.of(server.anonymous().with(before), place + "/http"), team.projectId());
        assertUnknown(McpClient.of(server.anonymous().with(after), path), mill.projectId());
        assertThat(McpClient.of(server.anonymous().with(after), place + "/http")
                        .ask("ping", Json.object())
                        .status())
                .isEqualTo(200);
        var atRoot = McpClient.of(server.anonymous().atRoot().with(after), "/mcp");
        assertThat(atRoot.callForJson("ap_list_flows", Json.object())
                        .path("flows")
                        .size())
                .isZero();
        assertThat(server.count("select count(*) from mcp_server where sealed_token = $1 or token_hash = $1", after))
                .isZero();
    }

    @Test
    void triesOutAServerElsewhere_whichIsThisOneHere() {
        // Given
        var place = "/v1/mcp/" + mill.projectId() + "/validate-agent-mcp-tool";
        var url = "http://127.0.0.1:" + server.port();
        var tool = Json.object()
                .put("toolName", "mill")
                .put("protocol", "streamable-http")
                .put("serverUrl", url + "/api" + path);
        tool.putObject("auth").put("type", "access_token").put("accessToken", McpClient.tokenOf(mill));

        // When
        var found = mill.api().post(place, tool);

        // Then
        assertThat(found.body().path("toolNames").toString()).contains("ap_create_flow");
        assertThat(found.body().path("error").isNull()).isTrue();
        tool.putObject("auth").put("type", "headers").putObject("headers").put("X-Key", "x");
        assertThat(mill.api().post(place, tool).text("/error")).contains("did not accept the credentials");
        assertThat(mill.api()
                        .post(place, tool.put("serverUrl", url + "/api/v1/health"))
                        .text("/error"))
                .contains("does not speak MCP");
        assertThat(mill.api()
                        .post(place, tool.put("serverUrl", "http://10.0.0.1/mcp"))
                        .text("/error"))
                .contains("could not be reached");
        tool.putObject("auth").put("type", "headers").putObject("headers").put("Transfer-Encoding", "chunked");
        assertThat(mill.api().post(place, tool).text("/error")).isNotBlank();
        tool.putObject("auth")
                .put("type", "api_key")
                .put("apiKeyHeader", "X\r\nY")
                .put("apiKey", "z");
        assertThat(mill.api().post(place, tool).status()).isEqualTo(400);
        assertThat(mill.api().post(place, tool.put("protocol", "smoke")).text("/message"))
                .contains("body/protocol");
    }

    private static void assertUnknown(McpClient stranger, String projectId) {
        var answer = stranger.ask("tools/list", Json.object());
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElseThrow())
                .startsWith("Bearer error=\"invalid_token\", resource_metadata=\"http://127.0.0.1:" + server.port()
                        + "/.well-known/oauth-protected-resource/api/v1/mcp/" + projectId + "/http\"");
    }

    @Test
    void triesOutAServerElsewhere_thatSpeaksOnlyHttpWithSse() {
        try (var notes = ToolServer.start()) {
            // Given
            var place = "/v1/mcp/" + mill.projectId() + "/validate-agent-mcp-tool";
            var tool = Json.object().put("toolName", "notes").put("serverUrl", notes.streamUrl());
            tool.putObject("auth").put("type", "none");

            // Then
            var found = mill.api().post(place, tool.put("protocol", "sse")).body();
            assertThat(found.path("toolNames")).as(found.toString()).hasSize(1);
            assertThat(mill.api().post(place, tool.put("protocol", "http")).text("/error"))
                    .contains("does not speak MCP over Streamable HTTP");
            assertThat(mill.api()
                            .post(
                                    place,
                                    tool.put("protocol", "sse")
                                            .put("serverUrl", notes.streamUrl().replace("127.0.0.1", "127.0.0.2")))
                            .text("/error"))
                    .contains("could not be reached", "blocked");
        }
    }

    @Test
    void showsTheTokenToThoseWhoMayWriteOnly() {
        // Given
        var eve = server.signUp("eve@example.com", "Eve", PlatformRole.MEMBER);
        server.join(eve, mill.projectId(), "Viewer");

        // When
        var seen = eve.api().get("/v1/mcp/" + mill.projectId());

        // Then
        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.body().path("token").isNull()).isTrue();
        assertThat(eve.api()
                        .post("/v1/mcp/" + mill.projectId() + "/rotate", Json.object())
                        .text("/code"))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(eve.api().get("/v1/mcp/" + server.foreignProject()).status()).isEqualTo(403);
        assertThat(ada.api().get("/v1/mcp/" + Ids.next()).status()).isEqualTo(404);
    }
}
