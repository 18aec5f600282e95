package io.millrace.integration.mcp.protocol;

import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Validates that headers and body of a request without handshake agree (MCP 2026-07-28, Streamable HTTP, Server Validation): a
 * proxy that routes by the header must see the same values as the server that executes the body.
 */
public final class ModernHeaders {
    public static final String REVISION = "MCP-Protocol-Version";
    public static final String REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
    private static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
    private static final String METHOD = "Mcp-Method";
    private static final String NAME = "Mcp-Name";
    private static final String ENCODED_START = "=?base64?";
    private static final String ENCODED_END = "?=";

    private ModernHeaders() {}

    public static void check(RpcMessage.Call call, MultiMap headers) {
        var meta = call.meta();
        if (!meta.path(REVISION_KEY).isTextual()) {
            throw RpcFailure.malformedParams("Invalid params: expected _meta with " + REVISION_KEY);
        }
        require(headers, REVISION, meta.path(REVISION_KEY).textValue());
        if (!meta.path(CAPABILITIES_KEY).isObject()) {
            throw RpcFailure.malformedParams("Invalid params: expected _meta with " + CAPABILITIES_KEY);
        }
        require(headers, METHOD, call.method());
        if (call.method().equals("tools/call")) {
            require(headers, NAME, call.params().path("name").asText());
        }
    }

    /** Requires exactly one header with the expected value; a repeated header is ambiguous. */
    private static void require(MultiMap headers, String name, String expected) {
        var values = headers.getAll(name);
        if (values.size() != 1) {
            throw RpcFailure.headerMismatch("expected one header " + name);
        }
        var value = name.equals(NAME) ? decoded(values.getFirst()) : values.getFirst();
        if (!value.equals(expected)) {
            throw RpcFailure.headerMismatch("the header " + name + " differs from the body");
        }
    }

    private static String decoded(String value) {
        if (!value.startsWith(ENCODED_START) || !value.endsWith(ENCODED_END)) {
            return value;
        }
        try {
            var text = value.substring(ENCODED_START.length(), value.length() - ENCODED_END.length());
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw RpcFailure.headerMismatch("expected Base64 in an encoded header");
        }
    }
}
