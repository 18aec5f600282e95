package io.millrace.workspace.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ToolRequest;

/** Reads the arguments of a tool call, which a model may get wrong. */
final class ToolArguments {
    private ToolArguments() {}

    /** @param text of JSON, empty for no arguments */
    static ToolRequest ofText(String id, String name, String text) {
        if (text.isBlank()) {
            return new ToolRequest(idOf(id), name, Json.object(), null);
        }
        try {
            return of(id, name, Json.parse(text));
        } catch (JsonProcessingException malformed) {
            return new ToolRequest(idOf(id), name, Json.object(), "the arguments are no JSON");
        }
    }

    static ToolRequest of(String id, String name, JsonNode arguments) {
        return arguments instanceof ObjectNode object
                ? new ToolRequest(idOf(id), name, object, null)
                : new ToolRequest(idOf(id), name, Json.object(), "the arguments are no JSON object");
    }

    /** Some providers number their calls by place only. */
    private static String idOf(String given) {
        return given.isBlank() ? "call_" + Ids.next() : given;
    }
}
