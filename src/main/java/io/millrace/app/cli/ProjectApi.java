package io.millrace.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The definition of one project at a running server, asked for over its API with a key. The operator names the server, so
 * that this is no call of the server to the outside and passes no guard.
 */
final class ProjectApi {
    static final CommandOption SERVER =
            new CommandOption("--server", "URL", "address of the server, such as https://flows.example.com");
    static final CommandOption PROJECT = new CommandOption("--project", "ID", "id of the project");
    static final CommandOption KEY_FILE =
            new CommandOption("--api-key-file", "FILE", "file with an API key; MILLRACE_API_KEY is used without it");

    static final List<CommandOption> OPTIONS = List.of(SERVER, PROJECT, KEY_FILE);

    private static final String KEY_VARIABLE = "MILLRACE_API_KEY";
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** An application waits for the triggers of its flows. */
    private static final Duration ANSWER = Duration.ofMinutes(10);

    private static final int OK = 200;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;

    private final String definition;
    private final String key;

    private ProjectApi(String definition, String key) {
        this.definition = definition;
        this.key = key;
    }

    static ProjectApi of(CommandWords words, Terminal terminal) {
        var server = words.required(SERVER).replaceAll("/+$", "").replaceAll("/api$", "");
        var project = words.required(PROJECT);
        if (!server.matches("https?://[^\\s?#]+")) {
            throw new UsageException(
                    "--server: expected an address that begins with http:// or https://, found " + server);
        }
        if (!Ids.PATTERN.matcher(project).matches()) {
            throw new UsageException("--project: expected an id of 21 letters and digits, found " + project);
        }
        return new ProjectApi(server + "/api/v1/projects/" + project + "/definition", keyOf(words, terminal));
    }

    private static String keyOf(CommandWords words, Terminal terminal) {
        return words.value(KEY_FILE)
                .map(file -> read(Path.of(file)))
                .or(() -> Optional.ofNullable(terminal.environment().get(KEY_VARIABLE)))
                .map(String::strip)
                .filter(text -> text.matches("[!-~]+"))
                .orElseThrow(() -> new UsageException(
                        "expected an API key in " + KEY_VARIABLE + " or in the file of --api-key-file"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    /** The definition as the project is now, with its revision. */
    ObjectNode read() {
        return send("", "GET", HttpRequest.BodyPublishers.noBody());
    }

    ObjectNode drift() {
        return send("/drift", "GET", HttpRequest.BodyPublishers.noBody());
    }

    ObjectNode plan(ObjectNode wanted) {
        return send("/plan", "POST", HttpRequest.BodyPublishers.ofByteArray(DeepJson.bytes(wanted)));
    }

    ObjectNode apply(ObjectNode wanted, Optional<String> revision, boolean allowsDeletion) {
        var expected = revision.map(text -> "&revision=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                .orElse("");
        return send(
                "/apply?allowDeletion=" + allowsDeletion + expected,
                "POST",
                HttpRequest.BodyPublishers.ofByteArray(DeepJson.bytes(wanted)));
    }

    private ObjectNode send(String path, String method, HttpRequest.BodyPublisher body) {
        var request = HttpRequest.newBuilder(URI.create(definition + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build()) {
            return answerOf(client.send(request, BodyHandlers.ofByteArray()));
        } catch (IOException unreachable) {
            throw ProjectException.unavailable(definition + " cannot be reached: " + unreachable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ProjectException.unavailable("the command was interrupted");
        }
    }

    private ObjectNode answerOf(HttpResponse<byte[]> response) {
        var status = response.statusCode();
        var body = parsed(response.body());
        if (status == OK && body instanceof ObjectNode answer) {
            return answer;
        }
        var told = "the server answers " + status + ": " + toldBy(body);
        if (status == TOO_MANY || status >= SERVER_ERRORS) {
            throw ProjectException.unavailable(told);
        }
        throw ProjectException.data(told);
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return DeepJson.parse(body);
        } catch (JsonProcessingException malformed) {
            return Json.object();
        }
    }

    private static String toldBy(JsonNode body) {
        return body.isEmpty() ? "nothing that is JSON" : Json.text(body);
    }
}
