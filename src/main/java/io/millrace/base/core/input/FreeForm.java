package io.millrace.base.core.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Checks free-form values for content that no JSON column can store: deeper nesting than is read back, the character NUL,
 * unpaired surrogates. Walks without recursion.
 */
public final class FreeForm {
    static final String NOT_STORABLE = "Invalid string: must not contain the NUL character or half a character";

    private static final String TOO_DEEP = "Too deep: expected at most " + Json.DEPTH_MAX + " levels";

    private FreeForm() {}

    /** Violation of a value, in the words of the contract (admin-api 1.5); empty when there is none. */
    static Optional<String> problemOf(JsonNode value) {
        var open = new ArrayDeque<NestedValue>();
        open.push(new NestedValue(value, 1));
        while (!open.isEmpty()) {
            var next = open.pop();
            if (next.depth() > Json.DEPTH_MAX) {
                return Optional.of(TOO_DEEP);
            }
            for (var field : next.value().properties()) {
                if (!isStorable(field.getKey())) {
                    return unstorable();
                }
            }
            for (var item : next.value()) {
                if (item.isTextual() && !isStorable(item.textValue())) {
                    return unstorable();
                }
                if (item.isContainerNode()) {
                    open.push(new NestedValue(item, next.depth() + 1));
                }
            }
        }
        return Optional.empty();
    }

    private record NestedValue(JsonNode value, int depth) {}

    private static Optional<String> unstorable() {
        return Optional.of(NOT_STORABLE);
    }

    static boolean isStorable(String text) {
        for (var index = 0; index < text.length(); index++) {
            var character = text.charAt(index);
            if (character == 0 || Character.isLowSurrogate(character)) {
                return false;
            }
            if (Character.isHighSurrogate(character)) {
                index++;
                if (index == text.length() || !Character.isLowSurrogate(text.charAt(index))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Limit that valid JSON exceeds, for a message to its sender: it is not malformed. */
    public static String exceeded(StreamConstraintsException beyond) {
        var message = String.valueOf(beyond.getOriginalMessage());
        if (message.contains("nesting depth")) {
            return TOO_DEEP;
        }
        if (message.startsWith("Number value length")) {
            return "Number too long: expected at most " + Json.NUMBER_CHARACTERS_MAX + " characters";
        }
        return message.startsWith("Name length")
                ? "Name too long: expected at most " + StreamReadConstraints.DEFAULT_MAX_NAME_LEN + " characters"
                : "Too large: " + message;
    }

    /** Says which field of a text of JSON is too deep; empty when the text has another fault. */
    public static Optional<String> tooDeepField(byte[] text) {
        try (var parser = Json.mapper().getFactory().createParser(text)) {
            try {
                while (parser.nextToken() != null) {
                    parser.skipChildren();
                }
                return Optional.empty();
            } catch (StreamConstraintsException beyond) {
                var place = parser.getParsingContext();
                if (place.getNestingDepth() <= Json.DEPTH_MAX) {
                    return Optional.empty();
                }
                while (!place.getParent().inRoot()) {
                    place = place.getParent();
                }
                var name = place.inObject() ? place.getCurrentName() : Integer.toString(place.getCurrentIndex());
                return Optional.of(name + " " + TOO_DEEP);
            }
        } catch (JsonProcessingException otherFault) {
            return Optional.empty();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }
}
