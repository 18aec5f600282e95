package io.millrace.integration.mcp.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/** A message of a client. Batches are rejected: only the oldest supported revision defines them. */
public sealed interface RpcMessage {
    record Call(JsonNode id, String method, ObjectNode params) implements RpcMessage {
        public JsonNode meta() {
            return params.path("_meta");
        }

        public Optional<JsonNode> progressToken() {
            return Optional.of(meta().path("progressToken")).filter(RpcMessage::isName);
        }

        public ObjectNode result(ObjectNode result) {
            var json = Json.object().put("jsonrpc", "2.0");
            json.set("id", id);
            json.set("result", result);
            return json;
        }
    }

    record Notification(String method, JsonNode params) implements RpcMessage {
        /** Id of the call that the notification cancels; empty for any other notification. */
        public Optional<JsonNode> cancelled() {
            return Optional.of(params.path("requestId"))
                    .filter(_ -> method.equals("notifications/cancelled"))
                    .filter(RpcMessage::isName);
        }
    }

    /** Answer of the client; this server sends no requests, so it is unexpected. */
    record Answer() implements RpcMessage {}

    static RpcMessage read(JsonNode body) {
        if (!body.isObject()) {
            throw RpcFailure.invalidRequest("expected one message");
        }
        if (!body.path("jsonrpc").asText().equals("2.0")) {
            throw RpcFailure.invalidRequest("expected jsonrpc 2.0");
        }
        if (!body.has("method")) {
            if (body.has("result") || body.has("error")) {
                return new Answer();
            }
            throw RpcFailure.invalidRequest("expected a method");
        }
        if (!body.path("method").isTextual()) {
            throw RpcFailure.invalidRequest("expected the method as a text");
        }
        var method = body.path("method").textValue();
        if (!body.has("id")) {
            return new Notification(method, body.path("params"));
        }
        var id = body.get("id");
        if (!isName(id)) {
            throw RpcFailure.invalidRequest("expected a text or a whole number as id");
        }
        return new Call(id, method, params(body.path("params")));
    }

    private static boolean isName(JsonNode value) {
        return value.isTextual() || value.isIntegralNumber();
    }

    private static ObjectNode params(JsonNode params) {
        return switch (params) {
            case ObjectNode object -> object;
            case JsonNode missing when missing.isMissingNode() -> Json.object();
            default -> throw RpcFailure.invalidRequest("expected an object as params");
        };
    }
}
