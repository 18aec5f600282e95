package io.millrace.authoring.importer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Imported workflows respond like n8n; {@code scripts/interop --n8n} recorded its responses. */
@Slow(Slow.Reason.DURATION)
class RecordedAnswersIT {
    private static final Path FOLDER = Path.of("src/test/resources/n8n-equivalence");

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "120", "AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static HttpServer standIn;

    @BeforeAll
    static void startStandIn() throws IOException {
        standIn = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        standIn.createContext("/", RecordedAnswersIT::answer);
        standIn.start();
    }

    @AfterAll
    static void stopStandIn() {
        standIn.stop(0);
    }

    /** Responses of stand-in.mjs. */
    private static void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var body = text.isEmpty() ? Json.parse("null") : Json.parse(text);
        var status = 200;
        var answer = Json.object();
        if (path.startsWith("/status/")) {
            status = Integer.parseInt(path.substring("/status/".length()));
            answer.put("status", status);
        } else if (path.equals("/graphql")) {
            answer.putObject("data").putObject("asked").setAll((ObjectNode) body);
        } else {
            answer.put("method", exchange.getRequestMethod()).put("path", path);
            var query = answer.putObject("query");
            var raw = exchange.getRequestURI().getRawQuery();
            for (var pair : raw == null ? new String[0] : raw.split("&")) {
                var parts = pair.split("=", 2);
                query.put(
                        URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                        URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
            answer.put("kind", exchange.getRequestHeaders().getFirst("X-Kind")).set("body", body);
        }
        var bytes = Json.bytes(answer);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static List<String> files() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void givesTheAnswersOfN8n(String file) throws IOException {
        // given
        var address = "http://127.0.0.1:" + standIn.getAddress().getPort();
        var sample = Json.parse(Files.readString(FOLDER.resolve(file)).replace("http://stand-in", address));
        var flow = imported(sample.path("workflow"));

        for (var request : sample.path("cases")) {
            // when
            var answer = ada.api()
                    .post(
                            "/v1/webhooks/" + flow + "/sync"
                                    + request.path("query").asText(),
                            request.path("body"));

            // then
            var expected = request.path("expected");
            assertThat(answer.status())
                    .as(answer.toString())
                    .isEqualTo(expected.path("status").asInt());
            assertThat(answer.body()).isEqualTo(expected.path("body"));
        }
    }

    private static String imported(JsonNode workflow) {
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", workflow);
        var answer = FlowClient.expect(200, ada.api().post("/v1/flows/import/n8n", request));
        var flow = answer.body().path("flows").path(0);
        assertThat(flow.path("problems")).isEmpty();
        var id = flow.path("id").asText();
        FlowClient.expect(200, new FlowClient(ada.api(), id).publish());
        return id;
    }
}
