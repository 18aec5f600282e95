package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.CutText;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Extracts the error message from the response body of a remote service (contract flows-and-engine 11.3). */
public final class ApiMessage {
    private static final int LENGTH_MAX = ErrorMessage.MESSAGE_LENGTH_MAX;

    /** Fields of a body that hold a message, most specific first. */
    private static final List<String> OF_BODY = List.of(
            "message",
            "error_description",
            "errorDescription",
            "detail",
            "title",
            "error_message",
            "errorMessage",
            "errorMessages",
            "errors",
            "error",
            "faultstring",
            "fault",
            "reason",
            "description");

    private static final List<String> OF_OBJECT = List.of("message", "detail", "description", "reason", "error");

    private static final int DEPTH_MAX = 8;

    private ApiMessage() {}

    /** Returns empty text when there is no message. */
    public static String in(JsonNode body) {
        return CutText.marked(body.isObject() ? first(body, OF_BODY, 0) : textOf(body, 0), LENGTH_MAX, "…");
    }

    private static String first(JsonNode object, List<String> fields, int depth) {
        for (var field : fields) {
            var text = textOf(object.path(field), depth + 1);
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static String textOf(JsonNode value, int depth) {
        if (depth > DEPTH_MAX) {
            return "";
        }
        return switch (value.getNodeType()) {
            case STRING -> readable(value.asText());
            case NUMBER -> depth == 0 ? "" : value.asText();
            case ARRAY ->
                StreamSupport.stream(value.spliterator(), false)
                        .map(item -> textOf(item, depth + 1))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; "));
            case OBJECT -> first(value, OF_OBJECT, depth);
            case BOOLEAN, NULL, MISSING, POJO, BINARY -> "";
        };
    }

    private static String readable(String text) {
        return MarkupText.isMarkup(text) ? MarkupText.reduce(text) : text.strip();
    }
}
