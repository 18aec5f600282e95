package io.millrace.support.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;

/** Tools of agents, as configured by their authors. */
public final class ToolSettings {
    private ToolSettings() {}

    /** An action of a piece. */
    public static ObjectNode piece(String toolName, String piece, String version, String action) {
        var tool = Json.object().put("type", "PIECE").put("toolName", toolName);
        tool.putObject("pieceMetadata")
                .put("pieceName", piece)
                .put("pieceVersion", version)
                .put("actionName", action);
        return tool;
    }

    /** Tool that adds two numbers. */
    public static ObjectNode addition(String toolName) {
        return piece(toolName, "@activepieces/piece-math-helper", "0.0.24", "addition_math");
    }

    /** Tool that adds two numbers, one of them preset by the author. */
    public static ObjectNode choosing(ObjectNode tool, String property, JsonNode value) {
        tool.withObjectProperty("pieceMetadata")
                .withObjectProperty("predefinedInput")
                .withObjectProperty("fields")
                .putObject(property)
                .put("mode", "choose-yourself")
                .set("value", value);
        return tool;
    }

    private static ObjectNode choosing(ObjectNode tool, String property, String value) {
        return choosing(tool, property, TextNode.valueOf(value));
    }

    /** Tool that calls an address without arguments of the model. */
    public static ObjectNode call(String toolName, String method, String url) {
        return choosing(call(toolName, method), "url", url);
    }

    /** Tool that calls an address chosen by the model. */
    public static ObjectNode call(String toolName, String method) {
        var tool = piece(toolName, "@activepieces/piece-http", "0.11.13", "send_request");
        choosing(tool, "method", method);
        choosing(tool, "authType", "NONE");
        choosing(tool, "body_type", "none");
        for (var empty : new String[] {"headers", "queryParams", "authFields"}) {
            choosing(tool, empty, Json.object());
        }
        return tool;
    }

    /** An MCP server without authentication. */
    public static ObjectNode server(String toolName, String url) {
        var tool = Json.object()
                .put("type", "MCP")
                .put("toolName", toolName)
                .put("serverUrl", url)
                .put("protocol", "streamable-http");
        tool.putObject("auth").put("type", "none");
        return tool;
    }
}
