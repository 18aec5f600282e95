package io.millrace.support.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** HTTP requests of the W3C WebDriver standard to one chromedriver. */
final class WebDriverClient implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String sessions;

    WebDriverClient(int port) {
        this.sessions = "http://127.0.0.1:" + port + "/session";
    }

    /** Starts a session with options of Chromium, and returns its id. */
    String start(ObjectNode options) {
        var body = Json.object();
        body.putObject("capabilities").putObject("alwaysMatch").set("goog:chromeOptions", options);
        return send("POST", "", body).path("sessionId").asText();
    }

    /** Value that a request to a path below {@code /session} returns. */
    JsonNode send(String method, String path, ObjectNode body) {
        var publisher = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body));
        var request = HttpRequest.newBuilder(URI.create(sessions + path))
                .timeout(MachineSpeed.deadline(DEADLINE))
                .header("Content-Type", "application/json")
                .method(method, publisher);
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            var value = Json.parse(answer.body()).path("value");
            if (answer.statusCode() != 200) {
                throw new AssertionError(
                        method + " " + path + ": " + value.path("message").asText());
            }
            return value;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
