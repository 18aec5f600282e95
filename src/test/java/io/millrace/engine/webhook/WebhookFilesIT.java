package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Files of an event, from the webhook to the address that the flow gets. */
class WebhookFilesIT {
    private static final int FILE_BYTES_MAX = 1 << 20;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_MAX_FILE_SIZE_MB", "1"));

    private static TestServer.SignedIn owner = server.signUp("owner@example.org", "Olga");

    @AutoClose
    private static HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void keepsABinaryBody_andPutsItsAddressInItsPlace() throws IOException, InterruptedException {
        var flowId = createFlow();
        var bytes = new byte[FILE_BYTES_MAX];
        new Random(1).nextBytes(bytes);

        var answer = send(flowId, "image/png", bytes);

        var url = onlyEventOf(flowId).at("/payload/body/fileUrl").asText();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(url).startsWith("http://localhost:" + server.port() + "/api/v1/files/");
        var file = client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofByteArray());
        assertThat(file.body()).isEqualTo(bytes);
        assertThat(file.headers().firstValue("Content-Type")).contains("image/png");
    }

    @Test
    void keepsThePartsOfAForm() throws IOException, InterruptedException {
        var flowId = createFlow();
        var form = """
                --edge\r
                Content-Disposition: form-data; name="note"\r
                \r
                hello\r
                --edge\r
                Content-Disposition: form-data; name="doc"; filename="page.html"\r
                Content-Type: text/html\r
                \r
                <p>\r
                --edge--\r
                """;

        send(flowId, "multipart/form-data; boundary=edge", form.getBytes(StandardCharsets.UTF_8));

        var body = onlyEventOf(flowId).at("/payload/body");
        assertThat(body.path("note").asText()).isEqualTo("hello");
        var address = URI.create(body.path("doc").asText());
        var file = client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        assertThat(file.body()).isEqualTo("<p>");
        assertThat(file.headers().firstValue("Content-Disposition").orElseThrow())
                .startsWith("attachment; ");
    }

    @Test
    void failsAStep_whenTheFileInItsInputIsTooLarge() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-file-helper",
                                "0.2.0",
                                "get_file_name",
                                FlowScript.json("{'file':'{{trigger.output.body.file}}'}")));

        // When
        var allowed = flow.run(withFile(FILE_BYTES_MAX));
        flow.call(withFile(FILE_BYTES_MAX + (1 << 19)));
        var refused = flow.ended(2);

        // Then
        assertThat(allowed.at("/steps/step_1/output/fileName").asText()).isEqualTo("unknown.png");
        assertThat(refused.path("status").asText()).isEqualTo("FAILED");
        var error = Json.trusted(refused.at("/steps/step_1/errorMessage").asText());
        assertThat(error.path("errorName").asText()).isEqualTo("FileSizeError");
        var message = Json.trusted(error.path("message").asText());
        assertThat(message.path("currentFileSize").asText()).isEqualTo("1.50 MB");
        assertThat(message.path("maximumSupportSize").asText()).isEqualTo("1 MB");
    }

    private static JsonNode withFile(int bytes) {
        var base64 = Base64.getEncoder().encodeToString(new byte[bytes]);
        return Json.object().put("file", "data:image/png;base64," + base64);
    }

    @Test
    void refusesAFileThatIsTooLarge_andKeepsNothing() throws IOException, InterruptedException {
        var flowId = createFlow();
        var before = server.count("select count(*) from file");

        var answer = send(flowId, "image/png", new byte[FILE_BYTES_MAX + 1]);

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(server.count("select count(*) from file")).isEqualTo(before);
        assertThat(events(flowId).path("data")).isEmpty();
    }

    private static String createFlow() {
        var created = owner.api()
                .post(
                        "/v1/flows",
                        Json.object().put("projectId", owner.projectId()).put("displayName", "Flow"));
        assertThat(created.status()).isEqualTo(201);
        var imported = FlowScript.webhook().importOperation("Flow");
        assertThat(owner.api()
                        .post("/v1/flows/" + created.text("/id"), imported)
                        .status())
                .isEqualTo(200);
        return created.text("/id");
    }

    private static HttpResponse<String> send(String flowId, String contentType, byte[] body)
            throws IOException, InterruptedException {
        var url = "http://localhost:" + server.port() + "/api/v1/webhooks/" + flowId + "/test";
        var request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofByteArray(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode onlyEventOf(String flowId) {
        var data = events(flowId).path("data");
        assertThat(data).hasSize(1);
        return data.get(0);
    }

    private static JsonNode events(String flowId) {
        return owner.api()
                .get("/v1/trigger-events?projectId=" + owner.projectId() + "&flowId=" + flowId)
                .body();
    }
}
