package io.millrace.integration.mcp.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/** A request that is answered with an error of the protocol (JSON-RPC 2.0; MCP 2026-07-28, error codes). */
public final class RpcFailure extends RuntimeException {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final int status;
    private final int code;
    private final transient ObjectNode data;

    private RpcFailure(int status, int code, String message, ObjectNode data) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.data = data;
    }

    public static RpcFailure unreadable() {
        return new RpcFailure(BAD_REQUEST, -32700, "Parse error: expected a JSON-RPC message", null);
    }

    public static RpcFailure invalidRequest(String message) {
        return new RpcFailure(BAD_REQUEST, -32600, "Invalid request: " + message, null);
    }

    /** The session has ended, or belongs to another caller: the client starts a new one. */
    public static RpcFailure noSession() {
        return new RpcFailure(NOT_FOUND, -32600, "Session not found", null);
    }

    /** @param revision negotiated revision; without a handshake the HTTP status is 404 */
    public static RpcFailure unknownMethod(String method, Revision revision) {
        var status = revision.hasHandshake() ? OK : NOT_FOUND;
        return new RpcFailure(status, -32601, "Method not found: " + method, null);
    }

    public static RpcFailure invalidParams(String message) {
        return new RpcFailure(OK, -32602, message, null);
    }

    /** A field is missing that every request has. */
    static RpcFailure malformedParams(String message) {
        return new RpcFailure(BAD_REQUEST, -32602, message, null);
    }

    static RpcFailure headerMismatch(String message) {
        return new RpcFailure(BAD_REQUEST, -32020, "Header mismatch: " + message, null);
    }

    public static RpcFailure unsupportedRevision(String requested) {
        var data = Json.object().put("requested", requested);
        Revision.words().forEach(data.putArray("supported")::add);
        return new RpcFailure(BAD_REQUEST, -32022, "Unsupported protocol version", data);
    }

    public static RpcFailure internal(String message) {
        return new RpcFailure(OK, -32603, message, null);
    }

    public int status() {
        return status;
    }

    /**
     * @param id of the request; null when it could not be read
     */
    public ObjectNode toJson(JsonNode id) {
        var json = Json.object().put("jsonrpc", "2.0");
        if (id != null) {
            json.set("id", id);
        }
        var error = json.putObject("error").put("code", code).put("message", getMessage());
        if (data != null) {
            error.set("data", data);
        }
        return json;
    }
}
