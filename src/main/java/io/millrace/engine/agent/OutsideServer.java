package io.millrace.engine.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.ShownText;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An MCP server elsewhere, whose tools an agent shall use (contract flows-and-engine 27.2, 28.1). Asked as a client with a
 * handshake asks, over Streamable HTTP: whoever still speaks the transport before it speaks this one too, or is told so.
 */
public final class OutsideServer {
    private static final String PROTOCOL_VERSION = "2025-11-25";
    private static final long TIMEOUT_MS = 10_000;
    private static final long CALL_TIMEOUT_MS = 30_000;
    private static final int REDIRECTS_MAX = 3;

    /** Largest answer: some thousand tools and what they take. */
    private static final int ANSWER_BYTES_MAX = 4 << 20;

    /** Some thousand tools, by the dozen. */
    private static final int PAGES_MAX = 100;

    private static final int MESSAGE_LENGTH_MAX = 300;
    private static final String SESSION = "Mcp-Session-Id";

    private final OutboundHttp outbound;
    private final WebAddress address;
    private final Map<String, String> credentials;

    /**
     * @param credentials headers by which the server knows us
     * @throws IllegalArgumentException when the address is none
     */
    public OutsideServer(OutboundHttp outbound, String url, Map<String, String> credentials) {
        this.outbound = outbound;
        this.address = WebAddress.parse(url);
        this.credentials = Map.copyOf(credentials);
    }

    /** What the server said, or why it could not be asked. */
    public static final class Unusable extends RuntimeException {
        public Unusable(String message) {
            super(message, null, false, false);
        }
    }

    /** A tool of the server. */
    record RemoteTool(String name, String description, ObjectNode schema) {}

    /** What a call brought. */
    record Outcome(String text, boolean failed) {}

    /** Names of the tools; fails with {@link Unusable} when the server is none of MCP, or does not let us in. */
    public Future<List<String>> tools() {
        return remoteTools().map(tools -> tools.stream().map(RemoteTool::name).toList());
    }

    /** The tools; fails as {@link #tools}. */
    Future<List<RemoteTool>> remoteTools() {
        return inSession(session -> new Listing(session).from(Json.object()));
    }

    /** Calls a tool; fails as {@link #tools}. What the tool itself refuses is an outcome. */
    Future<Outcome> call(String name, ObjectNode arguments) {
        var params = Json.object().put("name", name);
        params.set("arguments", arguments);
        return inSession(session -> ask(message(2, "tools/call", params), session, CALL_TIMEOUT_MS)
                .map(called -> outcomeOf(resultOf(called))));
    }

    private <T> Future<T> inSession(Function<Map<String, String>, Future<T>> work) {
        return Future.succeededFuture(initialization())
                .compose(hello -> ask(hello, Map.of(), TIMEOUT_MS))
                .compose(greeting -> greeted(greeting, work))
                .recover(failure -> Future.failedFuture(unusable(failure)));
    }

    private static Throwable unusable(Throwable failure) {
        return switch (failure) {
            case OutboundFailure refused -> new Unusable("The server could not be reached: " + refused.getMessage());
            case IllegalArgumentException _ -> new Unusable("A header is one that no request may choose");
            default -> failure;
        };
    }

    private static ObjectNode initialization() {
        var params = Json.object().put("protocolVersion", PROTOCOL_VERSION);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "millrace").put("version", "1");
        return message(1, "initialize", params);
    }

    private static ObjectNode message(int id, String method, ObjectNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        message.set("params", params);
        return message;
    }

    private <T> Future<T> greeted(OutboundResponse greeting, Function<Map<String, String>, Future<T>> work) {
        var result = resultOf(greeting);
        var inSession = new LinkedHashMap<String, String>();
        inSession.put("MCP-Protocol-Version", result.path("protocolVersion").asText(PROTOCOL_VERSION));
        var session = greeting.headers().get(SESSION);
        if (session != null) {
            inSession.put(SESSION, session);
        }
        var initialized = Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized");
        return ask(initialized, inSession, TIMEOUT_MS)
                .compose(_ -> work.apply(inSession))
                .eventually(() -> session == null ? Future.succeededFuture() : end(inSession));
    }

    /** Whether the server takes notice is its own affair. */
    private Future<Void> end(Map<String, String> inSession) {
        return outbound.send(request("DELETE", inSession)).transform(_ -> Future.succeededFuture());
    }

    /** Asks for the tools page by page, as servers with many of them answer; all pages together are no longer than one may be. */
    private final class Listing {
        private final Map<String, String> session;
        private final List<RemoteTool> found = new ArrayList<>();
        private int pages;
        private long bytes;

        Listing(Map<String, String> session) {
            this.session = session;
        }

        Future<List<RemoteTool>> from(ObjectNode place) {
            return ask(message(2, "tools/list", place), session, TIMEOUT_MS).compose(this::next);
        }

        private Future<List<RemoteTool>> next(OutboundResponse listed) {
            var page = resultOf(listed);
            found.addAll(toolsOf(page));
            pages++;
            bytes += listed.body().length();
            var next = page.path("nextCursor");
            if (!next.isTextual()) {
                return Future.succeededFuture(List.copyOf(found));
            }
            return pages == PAGES_MAX || bytes > ANSWER_BYTES_MAX
                    ? Future.failedFuture(new Unusable("The list of the server's tools does not end"))
                    : from(Json.object().set("cursor", next));
        }
    }

    private static List<RemoteTool> toolsOf(JsonNode result) {
        var tools = new ArrayList<RemoteTool>();
        result.path("tools")
                .forEach(tool -> tools.add(new RemoteTool(
                        tool.path("name").asText(),
                        tool.path("description").asText(""),
                        tool.path("inputSchema") instanceof ObjectNode schema
                                ? schema
                                : Json.object().put("type", "object"))));
        return tools;
    }

    private static Outcome outcomeOf(JsonNode result) {
        var text = new StringBuilder();
        result.path("content").forEach(part -> {
            if (!text.isEmpty()) {
                text.append('\n');
            }
            text.append(part.has("text") ? part.path("text").asText() : Json.text(part));
        });
        return new Outcome(
                text.isEmpty() ? Json.text(result.path("structuredContent")) : text.toString(),
                result.path("isError").asBoolean(false));
    }

    private Future<OutboundResponse> ask(ObjectNode message, Map<String, String> more, long timeoutMs) {
        return outbound.send(
                request("POST", more).withTimeoutMs(timeoutMs).withBody(Buffer.buffer(Json.bytes(message))));
    }

    private OutboundRequest request(String method, Map<String, String> more) {
        var own = new LinkedHashMap<>(more);
        own.put("Content-Type", "application/json");
        own.put("Accept", "application/json, text/event-stream");
        return OutboundRequest.of(method, address)
                .withCredentials(credentials)
                .withMoreHeaders(own)
                .withTimeoutMs(TIMEOUT_MS)
                .withBodyBytesMax(ANSWER_BYTES_MAX)
                .followingRedirects(REDIRECTS_MAX);
    }

    private static JsonNode resultOf(OutboundResponse response) {
        if (response.status() == 401 || response.status() == 403) {
            throw new Unusable("The server did not accept the credentials: status " + response.status());
        }
        var answer = answerOf(response);
        if (answer.path("error").isObject()) {
            throw new Unusable("The server answered with an error: "
                    + ShownText.of(
                            answer.path("error").path("message").asText("without a message"), MESSAGE_LENGTH_MAX));
        }
        if (response.status() >= 300 || !answer.path("result").isObject()) {
            throw new Unusable("The server does not speak MCP over Streamable HTTP: status " + response.status());
        }
        return answer.path("result");
    }

    /** An answer is JSON, or the last event of a stream that holds some. */
    private static JsonNode answerOf(OutboundResponse response) {
        var text = response.body().toString();
        var isStream = String.valueOf(response.headers().get("Content-Type")).contains("text/event-stream");
        var json = isStream
                ? text.lines()
                        .filter(line -> line.startsWith("data:"))
                        .reduce("", (_, line) -> line.substring("data:".length()))
                : text;
        try {
            return Json.parse(json.isBlank() ? "{}" : json);
        } catch (JsonProcessingException noJson) {
            return Json.object();
        }
    }
}
