package io.millrace.integration.failure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Recorded facts of a failure, from which {@link CauseRules} derive its class.
 *
 * @param stepType type of the failed step as in the log; empty when no step failed, or its record is gone
 * @param errorName name of the error (contract flows-and-engine 11.4); empty without one
 * @param httpStatus status of the response that failed the step
 * @param message message without its wrapping in JSON; may be empty
 */
public record FailureFacts(
        RunStatus status, String stepType, String errorName, OptionalInt httpStatus, String message) {
    /** Fields of an error text that was truncated and therefore is not JSON. */
    private static final Pattern CUT_MESSAGE = Pattern.compile("\"message\":\"((?:[^\"\\\\]++|\\\\.)*+)");

    private static final Pattern CUT_NAME = Pattern.compile("\"errorName\":\"([A-Za-z]{1,100})\"");
    private static final Pattern CUT_STATUS = Pattern.compile("\"status\":([1-9][0-9]{2})\\b");

    /**
     * Reads the facts of an error text.
     *
     * @param text error message of a step (contract flows-and-engine 11.3), plain text, or a truncated one of these
     */
    public static FailureFacts of(RunStatus status, String stepType, String text) {
        return parsed(text)
                .filter(error -> error.path("message").isTextual())
                .map(error -> new FailureFacts(
                        status,
                        stepType,
                        error.path("errorName").asText(""),
                        statusOf(error.path("status")),
                        unwrapped(error.path("message").asText())))
                .orElseGet(() -> ofCut(status, stepType, text));
    }

    private static FailureFacts ofCut(RunStatus status, String stepType, String text) {
        if (!text.startsWith("{\"__apErrorVersion\"")) {
            return new FailureFacts(status, stepType, "", OptionalInt.empty(), unwrapped(text));
        }
        var http = CUT_STATUS.matcher(text);
        return new FailureFacts(
                status,
                stepType,
                first(CUT_NAME, text),
                http.find() ? OptionalInt.of(Integer.parseInt(http.group(1))) : OptionalInt.empty(),
                unwrapped(unescaped(first(CUT_MESSAGE, text))));
    }

    private static String first(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static String unescaped(String content) {
        var whole = content.endsWith("\\") ? content.substring(0, content.length() - 1) : content;
        try {
            return Json.parse("\"" + whole + "\"").asText();
        } catch (JsonProcessingException cutInAnEscape) {
            return whole;
        }
    }

    private static OptionalInt statusOf(JsonNode status) {
        return status.isInt() && status.asInt() >= 100 && status.asInt() <= 599
                ? OptionalInt.of(status.asInt())
                : OptionalInt.empty();
    }

    /** The message of an indented JSON object, as errors with a name carry it. */
    private static String unwrapped(String message) {
        return parsed(message)
                .map(json -> json.path("message"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .orElse(message);
    }

    private static Optional<ObjectNode> parsed(String text) {
        if (!text.startsWith("{")) {
            return Optional.empty();
        }
        try {
            return Json.parse(text) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JsonProcessingException plain) {
            return Optional.empty();
        }
    }
}
