package io.millrace.authoring.importer;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses of HTTP nodes as items, as in n8n: each entry of a list is one. */
class ResponseItemsIT {
    private static HttpServer service;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/list", "[{\"name\":\"Zoe\"},{\"name\":\"Ada\"},{\"name\":\"Bob\"}]");
        answer("/one", "{\"name\":\"Eve\"}");
        service.start();
    }

    private static void answer(String path, String text) {
        service.createContext(path, exchange -> {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            try (var output = exchange.getResponseBody()) {
                output.write(bytes);
            }
        });
    }

    @AfterAll
    static void stop() {
        service.stop(0);
    }

    private static JsonNode workflow(String next, String pinned) {
        var port = service.getAddress().getPort();
        return json("{'name':'Names','nodes':[{'name':'Webhook','type':'n8n-nodes-base.webhook','typeVersion':2,"
                + "'parameters':{'path':'names','httpMethod':'POST','responseMode':'responseNode'}},"
                + "{'name':'Get','type':'n8n-nodes-base.httpRequest','typeVersion':4.2,"
                + "'parameters':{'url':'=http://127.0.0.1:" + port + "/{{ $json.body.path }}'}},"
                + next
                + ",{'name':'All','type':'n8n-nodes-base.aggregate','typeVersion':1,'parameters':{'fieldsToAggregate':"
                + "{'fieldToAggregate':[{'fieldToAggregate':'name','renameField':true,'outputFieldName':'names'}]}}},"
                + "{'name':'Respond','type':'n8n-nodes-base.respondToWebhook','typeVersion':1.1,"
                + "'parameters':{'respondWith':'json','responseBody':'={{ $json }}'}}],'connections':{"
                + "'Webhook':{'main':[[{'node':'Get','type':'main','index':0}]]},"
                + "'Get':{'main':[[{'node':'Next','type':'main','index':0}]]},"
                + "'Next':{'main':[[{'node':'All','type':'main','index':0}]]},"
                + "'All':{'main':[[{'node':'Respond','type':'main','index':0}]]}},'pinData':" + pinned + "}");
    }

    private static JsonNode imported(JsonNode workflow) {
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", workflow);
        var flow = FlowClient.expect(200, ada.api().post("/v1/flows/import/n8n", request))
                .body()
                .path("flows")
                .path(0);
        assertThat(flow.path("problems")).isEmpty();
        FlowClient.expect(200, new FlowClient(ada.api(), flow.path("id").asText()).publish());
        return flow;
    }

    private static JsonNode called(JsonNode flow, String path) {
        var answer = ada.api()
                .post(
                        "/v1/webhooks/" + flow.path("id").asText() + "/sync",
                        Json.object().put("path", path));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    @ParameterizedTest
    @CsvSource({
        "sort, \"sortFieldsUi\":{\"sortField\":[{\"fieldName\":\"name\"}]}, Ada Bob Zoe",
        "limit, \"maxItems\":2, Zoe Ada",
        "removeDuplicates, \"compare\":\"allFields\", Zoe Ada Bob",
        "code, \"jsCode\":\"return $input.all().reverse()\", Bob Ada Zoe"
    })
    void areEachAnItem_beforeANodeForLists(String type, String parameters, String expected) {
        var flow = imported(workflow(
                "{'name':'Next','type':'n8n-nodes-base." + type + "','typeVersion':1,'parameters':{"
                        + parameters.replace('"', '\'') + "}}",
                "{}"));

        assertThat(called(flow, "list").at("/names").valueStream().map(JsonNode::asText))
                .containsExactly(expected.split(" "));
        assertThat(called(flow, "one").at("/names").valueStream().map(JsonNode::asText))
                .containsExactly("Eve");
        assertThat(flow.at("/report/entries").toString()).doesNotContain("is one item here");
    }

    @Test
    void areEachAnItem_ifSeveralArePinned() {
        var flow = imported(workflow(
                "{'name':'Next','type':'n8n-nodes-base.set','typeVersion':3.4,'parameters':{'assignments':{'assignments':"
                        + "[{'name':'name','value':'={{ $json.name.toUpperCase() }}','type':'string'}]}}}",
                "{'Get':[{'json':{'name':'Lea'}},{'json':{'name':'Tim'}}]}"));

        assertThat(called(flow, "list").at("/names").valueStream().map(JsonNode::asText))
                .containsExactly("ZOE", "ADA", "BOB");
        var tests = ada.api()
                .get("/v1/flows/" + flow.path("id").asText() + "/tests")
                .body();
        assertThat(tests.at("/data/0/fixtures/steps").findValue("body").toString())
                .isEqualTo("[{\"name\":\"Lea\"},{\"name\":\"Tim\"}]");
    }
}
