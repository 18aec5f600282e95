package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All revisions of the MCP protocol, at a project's server. */
final class McpProtocolIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");
    private static String path = McpClient.pathOf(mill);
    private static McpClient client = McpClient.ofProject(server, mill);

    @ParameterizedTest
    @CsvSource({
        "2025-03-26,2025-03-26",
        "2025-06-18,2025-06-18",
        "2025-11-25,2025-11-25",
        "2024-11-05,2025-11-25",
        "2026-07-28,2025-11-25"
    })
    void agreesOnARevision_andKeepsASession(String wanted, String agreed) {
        // given
        var params = Json.object().put("protocolVersion", wanted);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "test").put("version", "1");

        // when
        var greeted = client.ask("initialize", params);

        // then
        assertThat(greeted.text("/result/protocolVersion")).isEqualTo(agreed);
        assertThat(greeted.body().at("/result/capabilities/tools/listChanged").asBoolean())
                .isTrue();
        var session = greeted.headers().firstValue("Mcp-Session-Id").orElseThrow();
        var inSession = Map.of("Mcp-Session-Id", session, "MCP-Protocol-Version", agreed);
        var initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
        assertThat(client.send(initialized, inSession).status()).isEqualTo(202);
        var ping = Json.text(McpClient.message("ping", Json.object()));
        assertThat(client.send(ping, inSession).body().path("result").isEmpty()).isTrue();

        // and a session is valid for its creator only, until it ends
        var team = ada.inTeam("Other");
        var other = McpClient.ofProject(server, team);
        assertThat(other.send(ping, inSession).status()).isEqualTo(404);
        var api = server.anonymous().with(McpClient.tokenOf(mill));
        assertThat(api.send("DELETE", path, inSession, "").status()).isEqualTo(204);
        assertThat(client.send(ping, inSession).status()).isEqualTo(404);
        assertThat(api.send("DELETE", path, inSession, "").status()).isEqualTo(404);
        assertThat(api.send("DELETE", path, Map.of(), "").status()).isEqualTo(405);
        assertThat(api.get(path).status()).isEqualTo(405);
    }

    @Test
    void answersWithoutAHandshake() {
        // when
        var discovered = client.askModern("server/discover", Json.object(), Map.of());
        var listed = client.askModern("tools/list", Json.object(), Map.of());
        var called = client.askModern("tools/call", Json.object().put("name", "ap_list_flows"), Map.of());

        // then
        assertThat(discovered.body().at("/result/supportedVersions").toString())
                .isEqualTo("[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]");
        assertThat(discovered.text("/result/resultType")).isEqualTo("complete");
        assertThat(listed.text("/result/cacheScope")).isEqualTo("private");
        assertThat(listed.body().at("/result/ttlMs").isInt()).isTrue();
        assertThat(called.body().at("/result/isError").asBoolean(true)).isFalse();
        assertThat(called.body()
                        .path("result")
                        .path("_meta")
                        .path("io.modelcontextprotocol/serverInfo")
                        .path("name")
                        .asText())
                .isEqualTo("millrace");
        for (var gone : new String[] {"ping", "initialize", "nothing/here"}) {
            var answer = client.askModern(gone, Json.object(), Map.of());
            assertThat(answer.status()).as(gone).isEqualTo(404);
            assertThat(answer.text("/error/code")).as(gone).isEqualTo("-32601");
        }
    }

    @Test
    void refusesHeadersThatSayOtherThingsThanTheBody() {
        var name = Json.object().put("name", "ap_list_flows");
        assertMismatch(client.askModern("tools/list", Json.object(), Map.of("Mcp-Method", "tools/call")));
        assertMismatch(client.askModern("tools/list", Json.object(), Map.of("MCP-Protocol-Version", "2025-11-25")));
        assertMismatch(client.askModern("tools/call", name.deepCopy(), Map.of("Mcp-Name", "ap_delete_flow")));
        assertMismatch(client.askModern("tools/call", name.deepCopy(), Map.of("Mcp-Name", "=?base64?%%?=")));
        var encoded = Map.of("Mcp-Name", "=?base64?YXBfbGlzdF9mbG93cw==?=");
        assertThat(client.askModern("tools/call", name.deepCopy(), encoded).status())
                .isEqualTo(200);

        var future = Json.object();
        future.putObject("_meta")
                .put("io.modelcontextprotocol/protocolVersion", "2099-01-01")
                .putObject("io.modelcontextprotocol/clientCapabilities");
        var unknown = client.askModern("tools/list", future, Map.of("MCP-Protocol-Version", "2099-01-01"));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text("/error/code")).isEqualTo("-32022");
        assertThat(unknown.body().at("/error/data/supported").size()).isEqualTo(4);
        var bare = Json.text(McpClient.message("tools/list", Json.object()));
        assertThat(client.send(bare, Map.of("MCP-Protocol-Version", "2026-07-28"))
                        .text("/error/code"))
                .isEqualTo("-32602");
        assertThat(client.send(bare, Map.of("MCP-Protocol-Version", "1999-01-01"))
                        .status())
                .isEqualTo(400);
    }

    private static void assertMismatch(ApiClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error/code")).isEqualTo("-32020");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {                                                        | -32700
            []                                                       | -32600
            [{"jsonrpc":"2.0","id":1,"method":"ping"}]               | -32600
            {"id":1,"method":"ping"}                                 | -32600
            {"jsonrpc":"2.0","id":null,"method":"ping"}              | -32600
            {"jsonrpc":"2.0","id":1.5,"method":"ping"}               | -32600
            {"jsonrpc":"2.0","id":1,"method":7}                      | -32600
            {"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}    | -32600
            {"jsonrpc":"2.0","id":1,"result":{}}                     | -32600
            {"jsonrpc":"2.0","id":1}                                 | -32600
            """)
    void refusesWhatIsNoMessage(String body, int code) {
        var answer = client.send(body, Map.of());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error/code")).isEqualTo(String.valueOf(code));
    }

    @Test
    void refusesForeignPages_andOtherContent() {
        var ping = Json.text(McpClient.message("ping", Json.object()));
        for (var origin : new String[] {"https://evil.example", "null", "http://127.0.0.1.evil.example"}) {
            assertThat(client.send(ping, Map.of("Origin", origin)).status())
                    .as(origin)
                    .isEqualTo(403);
        }
        for (var origin : new String[] {"http://localhost:6274", "http://127.0.0.1:8080"}) {
            assertThat(client.send(ping, Map.of("Origin", origin)).status())
                    .as(origin)
                    .isEqualTo(200);
        }
        assertThat(client.send(ping, Map.of("Content-Type", "text/plain")).status())
                .isEqualTo(415);
        var nobody = McpClient.of(server.anonymous(), path).send(ping, Map.of());
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(nobody.headers().firstValue("WWW-Authenticate").orElseThrow())
                .startsWith("Bearer resource_metadata=");
        assertThat(McpClient.of(server.anonymous(), "/v1/mcp/short/http")
                        .send(ping, Map.of())
                        .status())
                .isEqualTo(400);
        assertThat(client.ask("tools/list", Json.object().put("cursor", "x")).text("/error/code"))
                .isEqualTo("-32602");
        assertThat(client.ask("resources/list", Json.object()).text("/error/code"))
                .isEqualTo("-32601");
    }

    @Test
    void tellsHowLongACallHasRun_toAClientThatAsksForProgress() {
        // given a step that takes longer than a response may be silent
        var slow = "export const code = () => new Promise(done => setTimeout(() => done(42), 6_000));";
        var flow = LiveFlow.draft(mill, FlowScript.webhook().code("step_1", slow));
        var params = Json.object().put("name", "ap_test_flow");
        params.putObject("arguments").put("flowId", flow.id());
        params.putObject("_meta").put("progressToken", "of this call");

        // when
        var answer = client.sendRaw(Json.text(McpClient.message("tools/call", params)));

        // then
        var told = answer.body()
                .asText()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.trusted(line.substring("data: ".length())))
                .toList();
        assertThat(told.getFirst()).isEqualTo(Json.trusted("""
                {"jsonrpc": "2.0", "method": "notifications/progress",
                 "params": {"progress": 5, "message": "running for 5 s", "progressToken": "of this call"}}"""));
        assertThat(told.getLast().path("id").asInt()).isEqualTo(7);
        assertThat(told.getLast().at("/result/content/0/text").asText()).contains("SUCCEEDED");
    }
}
