package io.millrace.integration.mcp;

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

/**
 * An MCP server elsewhere, whose tools an agent shall use (contract flows-and-engine 27.2, 28.1). Asked as a client with a
 * handshake asks, over Streamable HTTP: whoever still speaks the transport before it speaks this one too, or is told so.
 */
final class OutsideServer {
    private static final long TIMEOUT_MS = 10_000;
    private static final int REDIRECTS_MAX = 3;

    /** Largest answer: some thousand tools and what they take. */
    private static final int ANSWER_BYTES_MAX = 4 << 20;

    private static final int MESSAGE_LENGTH_MAX = 300;
    private static final String SESSION = "Mcp-Session-Id";

    private final OutboundHttp outbound;
    private final WebAddress address;
    private final Map<String, String> credentials;

    /**
     * @param credentials headers by which the server knows us
     * @throws IllegalArgumentException when the address is none
     */
    OutsideServer(OutboundHttp outbound, String url, Map<String, String> credentials) {
        this.outbound = outbound;
        this.address = WebAddress.parse(url);
        this.credentials = Map.copyOf(credentials);
    }

    /** What the server said, or why it could not be asked. */
    static final class Unusable extends RuntimeException {
        Unusable(String message) {
            super(message, null, false, false);
        }
    }

    /** Names of the tools; fails with {@link Unusable} when the server is none of MCP, or does not let us in. */
    Future<List<String>> tools() {
        return Future.succeededFuture(initialization())
                .compose(hello -> ask(hello, Map.of()))
                .compose(this::greeted)
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
        var params = Json.object().put("protocolVersion", Revision.LATEST_WITH_HANDSHAKE.word());
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "millrace").put("version", "1");
        return message(1, "initialize", params);
    }

    private static ObjectNode message(int id, String method, ObjectNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        message.set("params", params);
        return message;
    }

    private Future<List<String>> greeted(OutboundResponse greeting) {
        var result = resultOf(greeting);
        var inSession = new LinkedHashMap<String, String>();
        inSession.put(
                "MCP-Protocol-Version", result.path("protocolVersion").asText(Revision.LATEST_WITH_HANDSHAKE.word()));
        var session = greeting.headers().get(SESSION);
        if (session != null) {
            inSession.put(SESSION, session);
        }
        var initialized = Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized");
        return ask(initialized, inSession)
                .compose(_ -> ask(message(2, "tools/list", Json.object()), inSession))
                .map(listed -> names(resultOf(listed)))
                .eventually(() -> session == null ? Future.succeededFuture() : end(inSession));
    }

    /** Whether the server takes notice is its own affair. */
    private Future<Void> end(Map<String, String> inSession) {
        return outbound.send(request("DELETE", inSession)).transform(_ -> Future.succeededFuture());
    }

    private static List<String> names(JsonNode result) {
        var names = new ArrayList<String>();
        result.path("tools").forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    private Future<OutboundResponse> ask(ObjectNode message, Map<String, String> more) {
        return outbound.send(request("POST", more).withBody(Buffer.buffer(Json.bytes(message))));
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
