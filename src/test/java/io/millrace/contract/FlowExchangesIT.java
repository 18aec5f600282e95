package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiContract;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses of flows, webhooks and runs match the API document; the client of these tests checks it. */
final class FlowExchangesIT {
    /** Examples with ids of missing rows. */
    private static final Map<String, Integer> REFUSED =
            Map.of("CHANGE_STATUS", 400, "USE_AS_DRAFT", 404, "UPDATE_OWNER", 404);

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    private static SignedIn owner = server.signUp("ada@example.com", "Ada");

    static Stream<String> operations() {
        return ApiContract.ofThisBuild()
                .document()
                .at("/components/schemas/FlowOperation/discriminator/mapping")
                .properties()
                .stream()
                .map(Map.Entry::getKey);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void documentedExampleIsTaken(String operation) {
        // Given
        var flowId = importedFlow("Example", editable());

        // When
        var answer = owner.api().post("/v1/flows/" + flowId, exampleOf(operation));

        // Then
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(REFUSED.getOrDefault(operation, 200));
    }

    @Test
    void livesThroughEverythingThatFlowsAnswer() {
        // Given
        var flowId = importedFlow("Answering", answering());
        var api = owner.api();
        var published = api.post("/v1/flows/" + flowId, operation("LOCK_AND_PUBLISH", Json.object()));
        assertThat(published.status()).as(published.body().toString()).isEqualTo(200);

        // When
        var synchronous = server.anonymous()
                .post("/v1/webhooks/" + flowId + "/sync?a=1", Json.object().put("b", 2));
        var asynchronous = server.anonymous()
                .send("PUT", "/v1/webhooks/" + flowId, Map.of("Content-Type", "text/plain"), "some text");
        var sample = server.anonymous().send("GET", "/v1/webhooks/" + flowId + "/test", Map.of(), "");
        var gone = server.anonymous().post("/v1/webhooks/" + Ids.next(), Json.object());
        var noId = server.anonymous().post("/v1/webhooks/none", Json.object());

        // Then
        assertThat(synchronous.status()).isEqualTo(200);
        assertThat(asynchronous.status()).isEqualTo(200);
        assertThat(sample.status()).isEqualTo(200);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(noId.status()).isEqualTo(400);
        var inProject = "?projectId=" + owner.projectId();
        Waiting.until(
                "both runs have ended",
                () -> api.get("/v1/flow-runs" + inProject + "&status=SUCCEEDED&flowId=" + flowId)
                                .body()
                                .at("/data")
                                .size()
                        == 2);
        var run = api.get("/v1/flow-runs" + inProject + "&limit=1&flowId=" + flowId);
        assertThat(run.body().at("/next").isTextual()).isTrue();
        assertThat(api.get("/v1/flow-runs/" + run.text("/data/0/id"))
                        .body()
                        .at("/steps/trigger/status")
                        .asText())
                .isEqualTo("SUCCEEDED");
        assertThat(api.get("/v1/trigger-events" + inProject + "&flowId=" + flowId)
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/v1/flows" + inProject + "&versionState=LOCKED&name=answering")
                        .body()
                        .at("/data")
                        .size())
                .isEqualTo(1);
        assertThat(api.get("/v1/flows/count" + inProject).body().asInt()).isPositive();
        assertThat(api.get("/v1/flows/" + flowId + "/versions")
                        .body()
                        .at("/data")
                        .size())
                .isEqualTo(1);
        assertThat(api.get("/v1/flows/" + flowId).status()).isEqualTo(200);
        assertThat(api.delete("/v1/flows/" + flowId).status()).isEqualTo(204);
    }

    private static String importedFlow(String name, JsonNode trigger) {
        var creation = Json.object().put("displayName", name).put("projectId", owner.projectId());
        var flowId = owner.api().post("/v1/flows", creation).text("/id");
        var request = Json.object().put("displayName", name).put("schemaVersion", "22");
        request.set("trigger", trigger);
        var imported = owner.api().post("/v1/flows/" + flowId, operation("IMPORT_FLOW", request));
        assertThat(imported.status()).as(imported.body().toString()).isEqualTo(200);
        return flowId;
    }

    private static JsonNode exampleOf(String operation) {
        var document = ApiContract.ofThisBuild().document();
        var schema = document.at("/components/schemas/FlowOperation/discriminator/mapping")
                .path(operation)
                .asText();
        return document.at(schema.substring(1)).at("/examples/0");
    }

    private static ObjectNode operation(String type, JsonNode request) {
        return Json.object().put("type", type).set("request", request);
    }

    /** A webhook, followed by the steps of the document's examples: a step, a loop, a router. */
    private static ObjectNode editable() {
        return tree("""
                {'name':'trigger','type':'PIECE_TRIGGER','displayName':'Catch','valid':true,
                 'lastUpdatedDate':'2026-03-09T12:34:56.789Z',
                 'settings':{'pieceName':'@activepieces/piece-webhook','pieceVersion':'%s',
                             'triggerName':'catch_webhook','input':{'authType':'none'},'propertySettings':{}},
                 'nextAction':
                 {'name':'step_1','type':'CODE','displayName':'Code','valid':true,
                  'settings':{'sourceCode':{'code':'export const code = async () => 1;','packageJson':'{}'},'input':{}},
                  'nextAction':
                  {'name':'step_2','type':'LOOP_ON_ITEMS','displayName':'Loop','valid':true,
                   'settings':{'items':'{{[1]}}'},
                   'nextAction':
                   {'name':'step_3','type':'ROUTER','displayName':'Router','valid':true,
                    'settings':{'executionType':'EXECUTE_FIRST_MATCH','branches':[
                      {'branchType':'CONDITION','branchName':'One','conditions':
                        [[{'firstValue':'a','operator':'TEXT_CONTAINS','secondValue':'b','caseSensitive':false}]]},
                      {'branchType':'CONDITION','branchName':'Two','conditions':
                        [[{'firstValue':'a','operator':'EXISTS'}]]},
                      {'branchType':'FALLBACK','branchName':'Else'}]},
                    'children':[null,null,null]}}}}
                """.formatted(webhookVersion()));
    }

    /** A webhook that responds to its caller. */
    private static ObjectNode answering() {
        return tree("""
                {'name':'trigger','type':'PIECE_TRIGGER','displayName':'Catch','valid':true,
                 'lastUpdatedDate':'2026-03-09T12:34:56.789Z',
                 'settings':{'pieceName':'@activepieces/piece-webhook','pieceVersion':'%1$s',
                             'triggerName':'catch_webhook','input':{'authType':'none'},'propertySettings':{}},
                 'nextAction':
                 {'name':'step_1','type':'PIECE','displayName':'Answer','valid':true,
                  'settings':{'pieceName':'@activepieces/piece-webhook','pieceVersion':'%1$s',
                              'actionName':'return_response','propertySettings':{},
                              'input':{'responseType':'json','respond':'stop',
                                       'fields':{'status':200,'headers':{},
                                                 'body':{'sum':'{{trigger.output.body.b + 1}}'}}}}}}
                """.formatted(webhookVersion()));
    }

    private static String webhookVersion() {
        return server.anonymous().get("/v1/pieces/@activepieces/piece-webhook").text("/version");
    }

    private static ObjectNode tree(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }
}
