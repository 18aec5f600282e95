package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** OAuth clients of the platform's MCP server: permissions of the authorizing user, and the tools of the platform. */
final class McpGuestIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");

    @Test
    void buildsTestsAndPublishesAFlow_withToolsAlone() {
        // given
        var tools = McpGuest.of(server, mill, "/mcp").at("/mcp");
        var flow = tools.callForJson("ap_create_flow", Json.object().put("displayName", "Built"));
        var flowId = flow.path("flowId").asText();
        var created = mill.api().get("/v1/flows/" + flowId).body().path("createdBy");
        assertThat(created.path("type").asText()).isEqualTo("MCP");
        assertThat(created.path("id").asText())
                .isEqualTo(mill.api().get("/v1/mcp/" + mill.projectId()).text("/id"));

        // when
        tools.call(
                "ap_update_trigger",
                ofFlow(flowId).put("pieceName", "@activepieces/piece-webhook").put("triggerName", "catch_webhook"));
        var code = ofFlow(flowId)
                .put("parentStepName", "trigger")
                .put("stepType", "ROUTER")
                .put("displayName", "Which way");
        assertThat(tools.call("ap_add_step", code)).startsWith("\u2705");
        assertThat(tools.call(
                        "ap_add_branch",
                        ofFlow(flowId).put("routerStepName", "step_1").put("branchName", "Second")))
                .startsWith("\u2705");
        tools.call(
                "ap_delete_branch",
                ofFlow(flowId).put("routerStepName", "step_1").put("branchIndex", 0));
        var condition = ofFlow(flowId).put("routerStepName", "step_1").put("branchIndex", 0);
        condition
                .putArray("conditions")
                .addArray()
                .addObject()
                .put("operator", "TEXT_EXACTLY_MATCHES")
                .put("firstValue", "a")
                .put("secondValue", "a");
        assertThat(tools.call("ap_update_branch", condition)).startsWith("\u2705");
        var step = ofFlow(flowId)
                .put("parentStepName", "step_1")
                .put("location", "INSIDE_BRANCH")
                .put("branchIndex", 0)
                .put("stepType", "PIECE")
                .put("pieceName", "@activepieces/piece-data-mapper")
                .put("actionName", "advanced_mapping");
        step.putObject("input").putObject("mapping").put("to", "one");
        assertThat(tools.call("ap_add_step", step)).startsWith("\u2705");
        var changed = ofFlow(flowId).put("stepName", "step_2").put("displayName", "Map it");
        changed.putObject("input").putObject("mapping").put("to", "two");
        assertThat(tools.call("ap_update_step", changed)).contains("Map it");

        // then
        var structure = tools.callForJson("ap_flow_structure", ofFlow(flowId));
        assertThat(structure
                        .at("/trigger/nextAction/children/0/settings/input/mapping/to")
                        .asText())
                .isEqualTo("two");
        assertThat(tools.call("ap_validate_flow", ofFlow(flowId))).contains("ready to be published");
        var tested = tools.call("ap_test_flow", ofFlow(flowId));
        assertThat(tested).contains("The run ended SUCCEEDED.").contains("\"to\":\"two\"");
        assertThat(tools.call("ap_test_step", ofFlow(flowId).put("stepName", "step_2")))
                .contains("SUCCEEDED");
        assertThat(tools.call("ap_lock_and_publish", ofFlow(flowId))).contains("\"status\":\"ENABLED\"");
        assertThat(tools.call("ap_change_flow_status", ofFlow(flowId).put("status", "DISABLED")))
                .contains("DISABLED");
        tools.call("ap_rename_flow", ofFlow(flowId).put("displayName", "Renamed"));
        var copy = tools.callForJson("ap_duplicate_flow", ofFlow(flowId));
        assertThat(copy.path("displayName").asText()).isEqualTo("Renamed Copy");
        assertThat(copy.path("steps").size()).isEqualTo(3);
        var note = tools.callForJson(
                "ap_manage_notes", ofFlow(flowId).put("operation", "ADD").put("content", "Mind the gap"));
        var update = ofFlow(flowId)
                .put("operation", "UPDATE")
                .put("noteId", note.path("noteId").asText())
                .put("content", "Mind it");
        assertThat(tools.call("ap_manage_notes", update)).startsWith("\u2705");
        assertThat(tools.callForJson("ap_flow_structure", ofFlow(flowId))
                        .at("/notes/0/content")
                        .asText())
                .isEqualTo("Mind it");
        var built = Json.object().put("displayName", "Whole");
        built.set("trigger", structure.path("trigger"));
        assertThat(tools.callForJson("ap_build_flow", built).path("steps").size())
                .isEqualTo(3);
        tools.call("ap_delete_step", ofFlow(flowId).put("stepName", "step_2"));
        assertThat(tools.call("ap_delete_flow", ofFlow(copy.path("flowId").asText())))
                .startsWith("\u2705");
        assertThat(tools.callForJson("ap_list_flows", Json.object().put("name", "Renamed"))
                        .path("flows")
                        .size())
                .isOne();
        assertThat(tools.call("ap_list_pieces", Json.object().put("pieceName", "@activepieces/piece-http")))
                .contains("send_request");
        assertThat(tools.call("ap_list_connections", Json.object())).contains("\"connections\":[]");
        var config = Json.object().put("pieceName", "@activepieces/piece-store").put("actionName", "put");
        config.putObject("input").put("key", "k").put("kay", "k");
        assertThat(tools.call("ap_validate_step_config", config))
                .contains("\"missing\":[\"value\"")
                .contains("kay");
    }

    @Test
    void refusesWhatCannotBeBuilt_andSaysWhy() {
        // given
        var tools = McpGuest.of(server, mill, "/mcp").at("/mcp");
        var flowId = tools.callForJson("ap_create_flow", Json.object().put("displayName", "Refused"))
                .path("flowId")
                .asText();
        var code = ofFlow(flowId).put("stepType", "CODE").put("sourceCode", "export const code = () => 1;");
        var piece = ofFlow(flowId)
                .put("parentStepName", "trigger")
                .put("stepType", "PIECE")
                .put("pieceName", "@activepieces/piece-store");

        // when
        var orphan = tools.call("ap_add_step", code.deepCopy().put("parentStepName", "nobody"));
        var astray = tools.call(
                "ap_add_step", code.deepCopy().put("parentStepName", "trigger").put("location", "INSIDE_LOOP"));
        var unknown = tools.call("ap_add_step", piece.deepCopy().put("actionName", "fly"));
        var nameless = tools.call("ap_add_step", piece);
        var mistyped = tools.call(
                "ap_add_step", piece.deepCopy().put("actionName", "put").put("inputs", "key"));
        var trigger = tools.call(
                "ap_update_trigger",
                ofFlow(flowId).put("pieceName", "@activepieces/piece-webhook").put("triggerName", "catch_wind"));

        // then
        assertThat(orphan).startsWith("\u274c").contains("nobody");
        assertThat(astray).startsWith("\u274c").contains("INSIDE_LOOP", "trigger");
        assertThat(unknown).startsWith("\u274c").contains("fly", "put", "get");
        assertThat(nameless).startsWith("\u274c").contains("found none", "put", "get");
        assertThat(mistyped).startsWith("\u274c").contains("inputs is not an argument");
        assertThat(trigger).startsWith("\u274c").contains("catch_wind", "catch_webhook");
        assertThat(tools.callForJson("ap_flow_structure", ofFlow(flowId))
                        .at("/trigger/nextAction")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void reportsWhyAFlowIsNotReady_andWarnsOfAWebhookWithoutAResponse() {
        // given
        var tools = McpGuest.of(server, mill, "/mcp").at("/mcp");
        var flowId = tools.callForJson("ap_create_flow", Json.object().put("displayName", "Judged"))
                .path("flowId")
                .asText();

        // when
        var empty = tools.call("ap_validate_flow", ofFlow(flowId));
        tools.call(
                "ap_update_trigger",
                ofFlow(flowId).put("pieceName", "@activepieces/piece-webhook").put("triggerName", "catch_webhook"));
        tools.call(
                "ap_add_step",
                ofFlow(flowId)
                        .put("parentStepName", "trigger")
                        .put("stepType", "PIECE")
                        .put("pieceName", "@activepieces/piece-store")
                        .put("actionName", "put"));
        var incomplete = tools.call("ap_validate_flow", ofFlow(flowId));
        var filled = ofFlow(flowId).put("stepName", "step_1");
        filled.putObject("input").put("key", "k").put("value", "v");
        tools.call("ap_update_step", filled);
        var complete = tools.call("ap_validate_flow", ofFlow(flowId));
        var published = tools.call("ap_lock_and_publish", ofFlow(flowId));
        var again = mill.api().post("/v1/flows/" + flowId, FlowScript.json("{'type':'LOCK_AND_PUBLISH','request':{}}"));

        // then
        assertThat(empty).contains("choose what starts the flow");
        assertThat(incomplete).contains("step_1", "input/key: expected a value of type", "found none");
        assertThat(complete).contains("ready to be published", "no step responds to the caller");
        assertThat(published).contains("The flow was published. Warning: step trigger: no step responds to the caller");
        assertThat(again.text("/warnings/0/stepName")).isEqualTo("trigger");
        assertThat(again.text("/warnings/0/message")).contains("408");
    }

    @Test
    void runsOneActionByItself() {
        // given
        var tools = McpGuest.of(server, mill, "/mcp").at("/mcp");
        var put = Json.object().put("pieceName", "@activepieces/piece-store").put("actionName", "put");
        put.putObject("input").put("key", "kept").put("value", "{{ 'a' + 'b' }}");
        var get = Json.object().put("pieceName", "@activepieces/piece-store").put("actionName", "get");
        get.putObject("input").put("key", "kept");

        // when, then
        assertThat(tools.call("ap_run_action", put)).isEqualTo("\"ab\"");
        assertThat(tools.call("ap_run_action", get)).isEqualTo("\"ab\"");
        var ofFlow = put.deepCopy();
        ofFlow.withObject("/input").put("store_scope", "FLOW");
        assertThat(tools.call("ap_run_action", ofFlow))
                .isEqualTo("\u274c A single action has no flow whose values it could store");
        assertThat(tools.call("ap_run_action", get.deepCopy().put("actionName", "nothing")))
                .startsWith("\u274c");
        assertThat(tools.call("ap_run_action", get.deepCopy().put("pieceName", "nothing")))
                .startsWith("\u274c");
        assertThat(tools.call("ap_run_action", get.deepCopy().put("connectionExternalId", "x")))
                .contains("MCP_PIECE_CONNECTION_MISMATCH");
        var wait = Json.object().put("pieceName", "@activepieces/piece-delay").put("actionName", "delayFor");
        wait.putObject("input").put("unit", "days").put("delayFor", 1);
        assertThat(tools.call("ap_run_action", wait)).startsWith("\u274c");
    }

    private static ObjectNode ofFlow(String flowId) {
        return Json.object().put("flowId", flowId);
    }

    @Test
    void makesAPieceOfADocument_forAdministratorsAlone() {
        // given
        var document = """
                openapi: 3.0.0
                info: {title: Small, version: '1'}
                servers: [{url: 'https://small.example.com'}]
                paths: {/a: {get: {operationId: readA, responses: {}}}}
                """;
        var admin = McpGuest.of(server, mill, "/mcp").at("/mcp");
        var max = server.signUp("max@example.com", "Max", PlatformRole.MEMBER);
        server.join(max, mill.projectId(), "Admin");
        var member = McpGuest.of(server, max.api(), "/mcp", Optional.of(mill.projectId()))
                .at("/mcp");

        // then
        var request = Json.object().put("document", document).put("name", "by-model");
        assertThat(member.call("ap_add_openapi_piece", request)).contains("PERMISSION_DENIED");
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-by-model").status()).isEqualTo(404);
        var dry = admin.callForJson("ap_add_openapi_piece", request.deepCopy().put("dryRun", true));
        assertThat(dry.at("/groups/0/operations/0/actionName").asText()).isEqualTo("readA");
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-by-model").status()).isEqualTo(404);
        assertThat(admin.callForJson("ap_add_openapi_piece", request)
                        .path("version")
                        .asText())
                .isEqualTo("1.0.0");
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-by-model").status()).isEqualTo(200);
        assertThat(admin.call("ap_add_openapi_piece", request.deepCopy().put("url", "https://a.example")))
                .contains("document: expected exactly one of url and document");
        assertThat(admin.call("ap_add_openapi_piece", request.deepCopy().put("pagination", "CURSOR")))
                .contains("pageParameter: expected the query parameter");
        assertThat(admin.call("ap_add_openapi_piece", Json.object().put("document", "{}")))
                .contains("expected openapi 3.0 or 3.1");
    }

    @Test
    void doesNothingThatThePersonMayNot() {
        // given
        var eve = server.signUp("eve@example.com", "Eve", PlatformRole.MEMBER);
        server.join(eve, mill.projectId(), "Viewer");
        var viewer = McpGuest.of(server, eve.api(), "/mcp", Optional.of(mill.projectId()))
                .at("/mcp");
        var flow = McpGuest.of(server, ada, "/mcp")
                .at("/mcp")
                .callForJson("ap_create_flow", Json.object().put("displayName", "Private"));

        // then
        assertThat(viewer.call("ap_list_flows", Json.object())).contains("\"flows\"");
        assertThat(viewer.call("ap_create_flow", Json.object().put("displayName", "x")))
                .isEqualTo("\u274c Permission denied: WRITE_FLOW is needed in this project");
        assertThat(viewer.call("ap_flow_structure", ofFlow(flow.path("flowId").asText())))
                .startsWith("\u274c Not found");
        assertThat(viewer.call("ap_flow_structure", ofFlow(Ids.next()))).startsWith("\u274c Not found");

        // and none after the user has left the project
        server.execute("delete from project_member where user_id = $1", eve.userId());
        assertThat(viewer.ping().status()).isEqualTo(403);
    }

    @Test
    void worksInTheProjectThatWasChosen_whenAllAreOpen() {
        // given
        var wide = McpGuest.of(server, ada.api(), "/mcp/platform", Optional.empty())
                .at("/mcp/platform");
        assertThat(wide.call("ap_list_flows", Json.object())).startsWith("\u274c No project is selected");
        assertThat(wide.tool("ap_list_flows")
                        .at("/inputSchema/properties/projectId/type")
                        .asText())
                .isEqualTo("string");

        // when
        var chosen = wide.call("ap_set_project_context", Json.object().put("projectId", ada.projectId()));

        // then
        assertThat(chosen).startsWith("\u2705");
        assertThat(wide.call("ap_list_flows", Json.object())).contains("\"flows\"");
        assertThat(wide.call("ap_list_flows", Json.object().put("projectId", mill.projectId())))
                .contains("\"flows\"");
        for (var stranger : List.of(server.foreignProject(), Ids.next(), "")) {
            assertThat(wide.call("ap_list_flows", Json.object().put("projectId", stranger)))
                    .startsWith("\u274c");
            assertThat(wide.call("ap_set_project_context", Json.object().put("projectId", stranger)))
                    .startsWith("\u274c");
        }
        assertThat(McpGuest.of(server, mill, "/mcp")
                        .at("/mcp")
                        .tool("ap_set_project_context")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void notifiesListenersOfChangedTools_untilTheirGrantEnds() {
        // given
        var team = ada.inTeam("Heard");
        var guest = McpGuest.of(server, team, "/mcp");
        var params = Json.object();
        params.putObject("notifications").put("toolsListChanged", true).put("promptsListChanged", true);
        params.putObject("_meta")
                .put("io.modelcontextprotocol/protocolVersion", "2026-07-28")
                .putObject("io.modelcontextprotocol/clientCapabilities");
        var modern = stream(
                guest,
                "POST",
                Map.of(
                        "Content-Type", "application/json",
                        "MCP-Protocol-Version", "2026-07-28",
                        "Mcp-Method", "subscriptions/listen"),
                Json.text(McpClient.message("subscriptions/listen", params)));
        var acknowledged = next(modern);
        var greeting = guest.at("/mcp").ask("initialize", Json.object().put("protocolVersion", "2025-11-25"));
        var session = greeting.headers().firstValue("Mcp-Session-Id").orElseThrow();
        var legacy = stream(guest, "GET", Map.of("Mcp-Session-Id", session), "");
        next(legacy, ":");

        // when
        team.api().post("/v1/mcp/" + team.projectId(), Json.object());

        // then
        assertThat(acknowledged).contains("notifications/subscriptions/acknowledged", "\"toolsListChanged\":true");
        assertThat(acknowledged).doesNotContain("promptsListChanged");
        assertThat(next(modern)).contains("notifications/tools/list_changed", "subscriptionId\":7");
        assertThat(next(legacy)).contains("notifications/tools/list_changed").doesNotContain("subscriptionId");
        server.anonymous()
                .atRoot()
                .with(guest.accessToken())
                .send("DELETE", "/mcp", Map.of("Mcp-Session-Id", session), "");
        assertThat(legacy.hasNext() && legacy.next().startsWith("data")).isFalse();
    }

    private static Iterator<String> stream(McpGuest guest, String method, Map<String, String> headers, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/mcp"))
                .header("Authorization", "Bearer " + guest.accessToken())
                .header("Accept", "text/event-stream")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        var answer = HttpClient.newHttpClient()
                .sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .join();
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body().iterator();
    }

    private static String next(Iterator<String> lines) {
        return next(lines, "data: ");
    }

    private static String next(Iterator<String> lines, String start) {
        while (lines.hasNext()) {
            var line = lines.next();
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new AssertionError("expected " + start + ", found the end of the stream");
    }
}
