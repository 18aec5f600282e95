package io.millrace.app.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

final class RemoteServer {
    static final CommandOption SERVER =
            new CommandOption("--server", "URL", "URL of the server, such as https://flows.example.com");
    static final CommandOption KEY_FILE = new CommandOption(
            "--api-key-file", "FILE", "file with an API key; default: the environment variable MILLRACE_API_KEY");

    private static final String KEY_VARIABLE = "MILLRACE_API_KEY";
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** An application of a definition waits for the triggers of its flows. */
    private static final Duration ANSWER = Duration.ofMinutes(10);

    private static final int PAGE = 100;
    private static final int SUCCESS = 2;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    /** Requests of one write or read, all under the same key: enough to outlast a restart of the server. */
    private static final int TURNS = 6;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    private static final int SERVER_ERRORS = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    private final String origin;
    private final String key;

    RemoteServer(String origin, String key) {
        this.origin = origin;
        this.key = key;
    }

    static RemoteServer of(CommandWords words, Terminal terminal) {
        var server = words.required(SERVER).replaceAll("/+$", "").replaceAll("/api$", "");
        if (!server.matches("https?://[^\\s?#]+")) {
            throw new UsageException("--server: expected a URL that begins with http:// or https://, found " + server);
        }
        return new RemoteServer(server, keyOf(words, terminal));
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

    String origin() {
        return origin;
    }

    /** @param path below the address of the server, with its query */
    ObjectNode get(String path) {
        return object(send("GET", path, BodyPublishers.noBody()));
    }

    ArrayNode list(String path) {
        return array(send("GET", path, BodyPublishers.noBody()));
    }

    /** All rows of a paged list; empty if the feature is disabled at the server. */
    List<ObjectNode> pages(String path) {
        var rows = new ArrayList<ObjectNode>();
        var first = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE;
        var cursor = "";
        do {
            var page = send("GET", first + cursor, BodyPublishers.noBody());
            if (page.isSwitchedOff()) {
                return List.of();
            }
            var answer = object(page);
            answer.path("data").forEach(row -> rows.add((ObjectNode) row));
            var next = answer.path("next").asText("");
            cursor = next.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        return rows;
    }

    ObjectNode post(String path, JsonNode body) {
        return object(send("POST", path, BodyPublishers.ofByteArray(DeepJson.bytes(body))));
    }

    ArrayNode postForList(String path, JsonNode body) {
        return array(send("POST", path, BodyPublishers.ofByteArray(DeepJson.bytes(body))));
    }

    /** Posts a request that changes nothing and whose answer is a stream of events; returns the data of its result. */
    ObjectNode postForEvents(String path, JsonNode body) {
        var answer = send("POST", path, BodyPublishers.ofByteArray(DeepJson.bytes(body)), "");
        if (answer.isSuccess()) {
            var event = answer.body();
            if (event.path("result") instanceof ObjectNode result) {
                return result;
            }
            var message = event.at("/error/message").asText("the stream ended without a result");
            throw RemoteException.unavailable("the server could not finish: " + message);
        }
        throw answer.refusal();
    }

    ObjectNode delete(String path) {
        return object(send("DELETE", path, BodyPublishers.noBody()));
    }

    /** Sends a request, with retries under the same idempotency key: a write whose answer was lost is performed once. */
    private Answer send(String method, String path, BodyPublisher body) {
        return send(method, path, body, method.equals("GET") ? "" : Ids.next());
    }

    /** @param idempotencyKey empty for a request that changes nothing */
    private Answer send(String method, String path, BodyPublisher body, String idempotencyKey) {
        for (var turn = 1; ; turn++) {
            try {
                var answer = sendOnce(method, path, body, idempotencyKey);
                if (turn == TURNS || !answer.mayBeRepeated()) {
                    return answer;
                }
                pause(answer.retryAfter().orElse(PAUSE.multipliedBy(turn)));
            } catch (IOException lost) {
                if (turn == TURNS || lost instanceof ConnectException) {
                    throw RemoteException.unavailable(origin + " cannot be reached: " + lost);
                }
                pause(PAUSE.multipliedBy(turn));
            }
        }
    }

    private static void pause(Duration wanted) {
        LockSupport.parkNanos(Math.min(wanted.toNanos(), PAUSE_MAX.toNanos()));
        if (Thread.currentThread().isInterrupted()) {
            throw RemoteException.unavailable("the command was interrupted");
        }
    }

    private Answer sendOnce(String method, String path, BodyPublisher body, String idempotencyKey) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(origin + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + key)
                .method(method, body);
        if (!idempotencyKey.isEmpty()) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        // A request with the JSON content type must have a body.
        if (body.contentLength() != 0) {
            request.header("Content-Type", "application/json");
        }
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build()) {
            var response = client.send(request.build(), BodyHandlers.ofByteArray());
            var isStream =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
            var answer = isStream ? lastEvent(response.body()) : parsed(response.body());
            return new Answer(response.statusCode(), answer, retryAfter(response.headers()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw RemoteException.unavailable("the command was interrupted");
        }
    }

    /** Seconds; a date counts as none. */
    private static Optional<Duration> retryAfter(HttpHeaders headers) {
        return headers.firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    private record Answer(int status, JsonNode body, Optional<Duration> retryAfter) {
        /**
         * Returns true if the request may be repeated under its idempotency key; an unknown outcome is not repeated, because
         * the server gives the same answer to each repetition.
         */
        boolean mayBeRepeated() {
            var code = body.path("code").asText();
            return switch (status) {
                case TOO_MANY, UNAVAILABLE, BAD_GATEWAY -> true;
                case CONFLICT -> code.equals("IDEMPOTENCY_KEY_IN_USE");
                case SERVER_ERRORS, GATEWAY_TIMEOUT -> !code.equals("OUTCOME_UNKNOWN");
                default -> false;
            };
        }

        boolean isSuccess() {
            return status / 100 == SUCCESS;
        }

        boolean isSwitchedOff() {
            return !isSuccess() && body.path("code").asText().equals("FEATURE_DISABLED");
        }

        RemoteException refusal() {
            var told = "the server responded with status " + status + ": " + toldBy(body)
                    + (status == GATEWAY_TIMEOUT
                            ? "; the change may have been made: check before you repeat the command"
                            : "");
            return status == TOO_MANY || status >= SERVER_ERRORS
                    ? RemoteException.unavailable(told)
                    : RemoteException.data(told);
        }
    }

    private static ObjectNode object(Answer answer) {
        if (answer.isSuccess() && answer.body() instanceof ObjectNode object) {
            return object;
        }
        throw answer.refusal();
    }

    private static ArrayNode array(Answer answer) {
        if (answer.isSuccess() && answer.body() instanceof ArrayNode array) {
            return array;
        }
        throw answer.refusal();
    }

    /** Name and data of the last event of a stream, as an object with one field. */
    private static JsonNode lastEvent(byte[] body) {
        var json = Json.object();
        var name = "";
        for (var line : new String(body, StandardCharsets.UTF_8).split("\n", -1)) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length()).strip();
            } else if (line.startsWith("data: ")) {
                json.removeAll();
                json.set(name, parsed(line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8)));
            }
        }
        return json;
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return DeepJson.parse(body);
        } catch (JsonProcessingException malformed) {
            return Json.object();
        }
    }

    private static String toldBy(JsonNode body) {
        if (body.isEmpty()) {
            return "a body that is not JSON";
        }
        var sentences = new ArrayList<String>();
        collect(body.path("params").path("message"), sentences);
        collect(body.path("message"), sentences);
        body.path("errors").forEach(error -> collect(error, sentences));
        var code = body.path("code").asText("");
        if (sentences.isEmpty()) {
            return code.isEmpty()
                    ? Json.text(body)
                    : code + (body.has("params") ? " " + Json.text(body.get("params")) : "");
        }
        return String.join("; ", sentences) + (code.isEmpty() ? "" : " (" + code + ")");
    }

    private static void collect(JsonNode told, List<String> sentences) {
        if (told.isTextual() && !told.asText().isBlank()) {
            sentences.add(told.asText());
        } else if (told.isObject()) {
            sentences.add(told.propertyStream()
                    .filter(field -> field.getValue().isValueNode())
                    .map(field -> field.getKey() + " " + field.getValue().asText())
                    .collect(Collectors.joining(", ")));
        }
    }
}
