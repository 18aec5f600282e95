package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.log.BatchAppender;
import io.millrace.base.net.FreePort;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Standard output of a server with a JSON log: a collector parses each line. */
@Slow(Slow.Reason.PROCESS)
final class JsonLogIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final String MAIN = "io.millrace.Millrace";

    /**
     * Replaces the configuration of the tests, which is on the class path and has another appender than the shipped
     * one.
     */
    private static final String SHIPPED = """
        <configuration>
          <appender name="%1$s" class="%2$s"/>
          <root level="info"><appender-ref ref="%1$s"/></root>
        </configuration>
        """.formatted(BatchAppender.NAME, BatchAppender.class.getName());

    @Test
    void hasOneObjectPerLine_fromTheFirstToTheLast_withFieldsOfRequests() throws IOException {
        var port = FreePort.find().orElseThrow();
        var settings =
                Map.of("AP_LOG_FORMAT", "json", "AP_LOG_SAMPLE_RATE_INFO", "100", "AP_PORT", String.valueOf(port));
        try (var directory = DataDirectory.prepared();
                var client = HttpClient.newHttpClient();
                var server = ServerProcess.ofClasses(
                        MAIN, List.of(shippedLog(directory)), List.of(), directory.path(), settings)) {
            var address = URI.create("http://127.0.0.1:" + port + "/api/v1/flags");
            Waiting.until("the server answers", DEADLINE, () -> status(client, address) == 200);
            Waiting.until(
                    "the request is logged", DEADLINE, () -> server.output().contains("\"status\":200"));
            server.terminate();
            server.exitStatus(DEADLINE);

            var lines = server.output().lines().map(JsonLogIT::parsed).toList();

            assertThat(lines)
                    .hasSizeGreaterThan(2)
                    .allMatch(line -> line.path("message").isTextual());
            assertThat(messages(lines))
                    .anyMatch(message -> message.contains("serves at http://"))
                    .noneMatch(message -> message.contains("is listening on"));
            var request = lines.stream()
                    .filter(line -> line.path("status").asInt() == 200)
                    .findFirst()
                    .orElseThrow();
            assertThat(request.path("message").asText()).isEqualTo("request");
            assertThat(request.path("method").asText()).isEqualTo("GET");
            assertThat(request.path("path").asText()).isEqualTo("/api/v1/flags");
            assertThat(request.path("requestId").asText()).startsWith("req_");
            assertThat(request.path("durationUs").isIntegralNumber()).isTrue();
            assertThat(request.path("status").isInt()).isTrue();
        }
    }

    private static String shippedLog(DataDirectory directory) throws IOException {
        var file = Files.writeString(directory.path().resolve("logback.xml"), SHIPPED);
        return "-Dlogback.configurationFile=" + file;
    }

    private static List<String> messages(List<JsonNode> lines) {
        return lines.stream().map(line -> line.path("message").asText()).toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("expected a JSON object, found " + line, malformed);
        }
    }

    private static int status(HttpClient client, URI address) {
        try {
            var request = HttpRequest.newBuilder(address).timeout(DEADLINE).build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (ConnectException notYet) {
            return 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
