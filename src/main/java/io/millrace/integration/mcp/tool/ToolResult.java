package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Result of a tool call: a text for the model. A failure is also a result, marked as an error, so that the model can correct
 * its call (contract flows-and-engine 28.2).
 */
public record ToolResult(String text, boolean isError) {
    private static final String DONE = "\u2705 ";
    private static final String FAILED = "\u274c ";

    static ToolResult json(JsonNode value) {
        return new ToolResult(new String(DeepJson.bytes(value), StandardCharsets.UTF_8), false);
    }

    public static ToolResult done(String text) {
        return new ToolResult(DONE + text, false);
    }

    public static ToolResult done(String text, JsonNode value) {
        return new ToolResult(DONE + text + "\n\n" + json(value).text(), false);
    }

    public static ToolResult failed(String text) {
        return new ToolResult(FAILED + text, true);
    }

    public static ToolResult invalid(List<String> objections) {
        return failed("Invalid arguments: " + String.join("; ", objections));
    }

    public static ToolResult refused(ApiException refusal) {
        var params = refusal.params();
        if (refusal.code() == ErrorCode.PERMISSION_DENIED) {
            return failed("Permission denied: " + params.path("permission").asText() + " is needed in this project");
        }
        if (refusal.code() == ErrorCode.ENTITY_NOT_FOUND) {
            return failed("Not found: " + params.path("entityType").asText("thing") + " "
                    + params.path("entityId").asText(""));
        }
        if (refusal.code() == ErrorCode.OUTCOME_UNKNOWN) {
            return failed("The outcome is unknown: the change may have been made (" + refusal.text()
                    + "). Read the current state before you repeat the call.");
        }
        var details = params == null || params.size() <= 1 ? "" : "\n\n" + Json.text(params);
        return failed(refusal.code().name() + ": " + refusal.text() + details);
    }

    public ObjectNode toJson() {
        var json = Json.object();
        json.putArray("content").addObject().put("type", "text").put("text", text);
        return json.put("isError", isError);
    }
}
