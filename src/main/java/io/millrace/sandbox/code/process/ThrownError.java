package io.millrace.sandbox.code.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CompileProblem;
import io.millrace.sandbox.code.ConsoleLog;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Error thrown by user code, in the words of a step's error message (contract flows-and-engine 11.3). */
public final class ThrownError {
    private static final int MESSAGE_MAX = 2000;
    private static final int RAW_MAX = 16_000;
    private static final int PLACES_MAX = 10;

    /** Field with the line of the author's source, from 1. */
    private static final String LINE = "line";

    private static final Pattern STACK_LINE = Pattern.compile("\\R[ \\t]++at .*");

    private ThrownError() {}

    static CodeResult.Threw read(String description, AuthorLines lines, ConsoleLog log) throws JsonProcessingException {
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
        line(told.path("places"), lines).ifPresent(line -> details.put(LINE, line));
        return new CodeResult.Threw(message(told.path("message").asText("")), details, log);
    }

    /** Author's line of the first position that has one: the first positions may be in helpers of the compiler. */
    private static OptionalInt line(JsonNode places, AuthorLines lines) {
        return places.valueStream()
                .limit(PLACES_MAX)
                .map(place -> lines.of(place.path(0).asInt(), place.path(1).asInt()))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElseGet(OptionalInt::empty);
    }

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

    /** Error of a program that does not compile. */
    public static CodeResult.Threw ofCompiler(String compileError) {
        CodeResult.Threw threw = of("CompilationError", "Compilation Error: " + compileError, ConsoleLog.empty());
        int line = CompileProblem.of(compileError).line();
        if (line > 0) {
            threw.details().put(LINE, line);
        }
        return threw;
    }

    public static CodeResult.Threw of(String name, String message, ConsoleLog log) {
        return new CodeResult.Threw(message(message), Json.object().put("errorName", name), log);
    }

    private static String message(String thrown) {
        String text = STACK_LINE.matcher(thrown).replaceAll("").strip();
        return text.isEmpty() ? "Unknown error" : CutText.marked(text, MESSAGE_MAX, "…");
    }
}
