package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** A session over Streamable HTTP: each message is a request, and its answer is the response. */
final class StreamableHttpSession implements ExternalSession {
    private static final int REDIRECTS_MAX = 3;
    private static final String SESSION = "Mcp-Session-Id";

    private final ExternalPeer peer;

    /** Session headers of every message but the first. */
    private final Map<String, String> standing = new LinkedHashMap<>();

    private int asked;

    StreamableHttpSession(ExternalPeer peer) {
        this.peer = peer;
    }

    @Override
    public Future<Answer> ask(String method, ObjectNode params, long timeoutMs) {
        return send(ExternalMessages.request(++asked, method, params), timeoutMs)
                .map(response -> {
                    var result = resultOf(response);
                    if (standing.isEmpty()) {
                        begin(response, result);
                    }
                    return new Answer(result, response.body().length());
                });
    }

    @Override
    public Future<Void> tell(String method) {
        return send(ExternalMessages.notification(method), peer.limits().timeoutMs())
                .mapEmpty();
    }

    /** Failures of the server are ignored. */
    @Override
    public Future<Void> end() {
        return standing.containsKey(SESSION)
                ? Future.succeededFuture("DELETE")
                        .map(this::request)
                        .compose(peer.outbound()::send)
                        .transform(_ -> Future.succeededFuture())
                : Future.succeededFuture();
    }

    private void begin(OutboundResponse greeting, JsonNode result) {
        standing.put("MCP-Protocol-Version", result.path("protocolVersion").asText(ExternalServer.PROTOCOL_VERSION));
        var session = greeting.headers().get(SESSION);
        if (session != null) {
            standing.put(SESSION, session);
        }
    }

    private Future<OutboundResponse> send(ObjectNode message, long timeoutMs) {
        return peer.outbound()
                .send(request("POST").withTimeoutMs(timeoutMs).withBody(Buffer.buffer(Json.bytes(message))));
    }

    private OutboundRequest request(String method) {
        var own = new LinkedHashMap<>(standing);
        own.put("Content-Type", "application/json");
        own.put("Accept", "application/json, text/event-stream");
        return peer.request(method, peer.address())
                .withMoreHeaders(own)
                .withBodyBytesMax(peer.limits().answerBytesMax())
                .followingRedirects(REDIRECTS_MAX);
    }

    private static JsonNode resultOf(OutboundResponse response) {
        ExternalMessages.checkAdmission(response.status());
        var answer = answerOf(response);
        // Of a refusal only its reason counts.
        var isAnswer = response.status() < 300 || answer.has("error");
        return ExternalMessages.resultOf(
                isAnswer ? answer : Json.object(),
                "The server does not speak MCP over Streamable HTTP: status " + response.status());
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
