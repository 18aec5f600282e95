package io.millrace.sandbox.code.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import java.util.regex.Pattern;

/** Error thrown by user code, in the words of a step's error message (contract flows-and-engine 11.3). */
public final class ThrownError {
    private static final int MESSAGE_MAX = 2000;
    private static final int RAW_MAX = 16_000;
    private static final Pattern STACK_LINE = Pattern.compile("\\R[ \\t]++at .*");

    private ThrownError() {}

    /** Reads the description that a worker sent. */
    static CodeResult.Threw read(String description, ConsoleLog log) throws JsonProcessingException {
        JsonNode told = Json.parse(description);
        ObjectNode details = Json.object();
        String name = told.path("name").asText("");
        if (!name.isEmpty() && !name.equals("Error")) {
            details.put("errorName", name);
        }
        if (told.hasNonNull("raw")) {
            details.put("raw", CutText.marked(told.path("raw").asText(), RAW_MAX, "\n…[truncated]"));
        }
        putResponse(told.path("response"), details);
        return new CodeResult.Threw(message(told.path("message").asText("")), details, log);
    }

    /** Adds the HTTP response of an error, in the form of a piece's errors. */
    private static void putResponse(JsonNode response, ObjectNode details) {
        if (response.path("status").canConvertToInt()) {
            details.put("status", response.path("status").asInt());
            if (response.hasNonNull("body")) {
                details.set("responseBody", response.get("body"));
            }
            if (response.hasNonNull("headers")) {
                details.set("responseHeaders", response.get("headers"));
            }
        }
    }

    public static CodeResult.Threw of(String name, String message, ConsoleLog log) {
        return new CodeResult.Threw(message(message), Json.object().put("errorName", name), log);
    }

    private static String message(String thrown) {
        String text = STACK_LINE.matcher(thrown).replaceAll("").strip();
        return text.isEmpty() ? "Unknown error" : CutText.marked(text, MESSAGE_MAX, "…");
    }
}
