package io.millrace.piece.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** JSON objects in the text of an answer: the whole text, in fenced code, or among words. */
final class TextObjects {
    private static final int STARTS_MAX = 50;
    private static final int LENGTH_MAX = 1 << 20;

    private TextObjects() {}

    /** The objects in their order; nested objects are not listed separately. */
    static List<ObjectNode> in(String text) {
        var found = new ArrayList<ObjectNode>();
        var searched = text.substring(0, Math.min(text.length(), LENGTH_MAX));
        var from = searched.indexOf('{');
        for (var starts = 0; from >= 0 && starts < STARTS_MAX; starts++) {
            var end = endOf(searched, from);
            var object = end < 0 ? Optional.<ObjectNode>empty() : parsed(searched.substring(from, end));
            object.ifPresent(found::add);
            from = searched.indexOf('{', object.isPresent() ? end : from + 1);
        }
        return found;
    }

    /** End of the object that starts at a position; -1 when it is not closed. */
    private static int endOf(String text, int from) {
        var depth = 0;
        var isText = false;
        for (var at = from; at < text.length(); at++) {
            var character = text.charAt(at);
            if (isText) {
                if (character == '\\') {
                    at++;
                } else if (character == '"') {
                    isText = false;
                }
            } else if (character == '"') {
                isText = true;
            } else if (character == '{') {
                depth++;
            } else if (character == '}') {
                depth--;
                if (depth == 0) {
                    return at + 1;
                }
            }
        }
        return -1;
    }

    private static Optional<ObjectNode> parsed(String text) {
        try {
            return Json.parse(text) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JsonProcessingException words) {
            return Optional.empty();
        }
    }

    /** Arguments of a call that a model wrote as text; other objects are returned unchanged. */
    static ObjectNode argumentsIn(ObjectNode object, String tool) {
        for (var field : List.of("arguments", "parameters", "input")) {
            JsonNode inner = object.path(field);
            if (object.path("name").asText("").equals(tool) && inner instanceof ObjectNode arguments) {
                return arguments;
            }
        }
        return object;
    }
}
