package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls canceled by their client: the started work ends (MCP, Cancellation). */
class McpCancellationIT {
    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_FLOW_TIMEOUT_SECONDS", "60"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static McpClient client = McpClient.ofProject(server, ada);

    private static LiveFlow waitingFlow(String name) {
        var input =
                "{'toolName':'%s','toolDescription':'Waits','returnsResponse':true,'inputSchema':[]}".formatted(name);
        return LiveFlow.publish(
                ada,
                FlowScript.trigger("@activepieces/piece-mcp", "0.1.0", "mcp_tool", input)
                        .delay("step_1", 3_600));
    }

    private static String body(String method, JsonNode id, JsonNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("method", method);
        if (id != null) {
            message.set("id", id);
        }
        return Json.text(message.set("params", params));
    }

    private static String session() {
        var params = Json.object().put("protocolVersion", "2025-11-25");
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "t").put("version", "1");
        return client.send(body("initialize", TextNode.valueOf("hello"), params), Map.of())
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    private static JsonNode callOf(LiveFlow flow, String name) {
        return Json.object().put("name", name + "_" + flow.id().substring(0, 4));
    }

    private static CompletableFuture<Answer> call(String session, JsonNode id, JsonNode params) {
        return CompletableFuture.supplyAsync(
                () -> client.send(body("tools/call", id, params), Map.of("Mcp-Session-Id", session)));
    }

    private static Answer cancel(String session, JsonNode id) {
        return client.send(
                body("notifications/cancelled", null, Json.object().set("requestId", id)),
                Map.of("Mcp-Session-Id", session));
    }

    private static String statusOf(LiveFlow flow) {
        return ada.api()
                .get("/v1/flow-runs?projectId=" + ada.projectId() + "&flowId=" + flow.id())
                .text("/data/0/status");
    }

    private static void awaitStatus(LiveFlow flow, String status) {
        Waiting.until("the run is " + status, () -> statusOf(flow).equals(status));
    }

    /** Ids of calls are numbers or texts; 7 and "7" are two calls. */
    @ParameterizedTest
    @ValueSource(strings = {"7", "\"7\"", "\"c-1\""})
    void cancelsTheRunOfACall_andSendsNoAnswer(String id) throws Exception {
        var flow = waitingFlow("Wait");
        var session = session();
        var call = call(session, Json.trusted(id), callOf(flow, "wait"));
        awaitStatus(flow, "PAUSED");

        var notified = cancel(session, Json.trusted(id));

        assertThat(notified.status()).isEqualTo(202);
        awaitStatus(flow, "CANCELED");
        var answer = call.get(30, TimeUnit.SECONDS);
        assertThat(answer.status()).isBetween(200, 202);
        assertThat(answer.body().has("result") || answer.body().has("error")).isFalse();
    }

    @Test
    void ignoresACancellation_ofAnUnknownCall_andOfAnotherSession() throws Exception {
        var flow = waitingFlow("Stay");
        var session = session();
        var id = Json.trusted("5");
        var call = call(session, id, callOf(flow, "stay"));
        awaitStatus(flow, "PAUSED");

        assertThat(cancel(session, Json.trusted("6")).status()).isEqualTo(202);
        assertThat(cancel(session, Json.trusted("\"5\"")).status()).isEqualTo(202);
        assertThat(cancel(session, Json.trusted("{}")).status()).isEqualTo(202);
        assertThat(cancel(session(), id).status()).isEqualTo(202);
        assertThat(client.ping().status()).isEqualTo(200);
        assertThat(statusOf(flow)).isEqualTo("PAUSED");
        assertThat(call).isNotDone();

        cancel(session, id);
        awaitStatus(flow, "CANCELED");
        call.get(30, TimeUnit.SECONDS);
    }

    @Test
    void cancelsTheRunOfAnAgent() throws Exception {
        model.serve(ada);
        model.holding();
        var session = session();
        var params = Json.object().put("name", "ap_run_agent");
        params.putObject("arguments").put("instruction", "Work.");
        var call = call(session, Json.trusted("1"), params);
        Waiting.until("the model is asked", () -> model.waiting() == 1);

        cancel(session, Json.trusted("1"));

        Waiting.until("the request to the model has ended", () -> model.waiting() == 0);
        call.get(30, TimeUnit.SECONDS);
        model.release();
    }

    /** Without a handshake, the end of the connection cancels the call (MCP 2026-07-28). */
    @Test
    void cancelsTheRun_whenAClientWithoutHandshakeHangsUp() throws IOException {
        var flow = waitingFlow("Hang");
        var params = Json.object().put("name", callOf(flow, "hang").path("name").asText());
        var meta = params.putObject("_meta").put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        var body = body("tools/call", Json.trusted("1"), params);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            var request = "POST /api" + McpClient.pathOf(ada)
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Accept: application/json, text/event-stream\r\nAuthorization: Bearer " + McpClient.tokenOf(ada)
                    + "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: "
                    + params.path("name").asText() + "\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            awaitStatus(flow, "PAUSED");
        }

        awaitStatus(flow, "CANCELED");
    }
}
