package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * Fields of chat completions that a provider expects unchanged in the next request: reasoning of DeepSeek and Moonshot
 * ({@code reasoning_content}), of OpenRouter, vLLM and Ollama ({@code reasoning}, {@code reasoning_details}), and signatures
 * of Gemini behind the common format ({@code extra_content}, {@code thought_signature}). Their values are opaque.
 *
 * @param objects names of fields that are kept unchanged, a later value over an earlier one
 */
record CompletionState(List<String> objects) {
    static final List<String> TEXTS = List.of("reasoning_content", "reasoning");
    static final String DETAILS = "reasoning_details";

    private static final List<String> SIGNED =
            List.of("extra_content", "thought_signature", "thoughtSignature", "provider_specific_fields");

    static final CompletionState OF_CALL = new CompletionState(SIGNED);
    static final CompletionState OF_MESSAGE = new CompletionState(List.of(
            "extra_content", "thought_signature", "thoughtSignature", "provider_specific_fields", "thinking_blocks"));

    /** Texts of {@link #DETAILS} that grow with each piece. */
    private static final List<String> GROWING = List.of("text", "summary");

    void merge(JsonNode piece, ObjectNode known) {
        for (var name : objects) {
            if (piece.hasNonNull(name)) {
                merge(piece.path(name), known, name);
            }
        }
    }

    private static void merge(JsonNode value, ObjectNode known, String name) {
        if (value instanceof ObjectNode more && known.path(name) instanceof ObjectNode object) {
            more.properties().forEach(field -> merge(field.getValue(), object, field.getKey()));
        } else if (value instanceof ArrayNode more && known.path(name) instanceof ArrayNode array) {
            array.addAll(more.deepCopy());
        } else {
            known.set(name, value.deepCopy());
        }
    }

    /** Adds fragments of {@link #DETAILS}: adjacent ones of one index and kind are one detail whose texts grow. */
    static void addDetails(GrowingTexts texts, ArrayNode known, JsonNode pieces) {
        for (var piece : pieces) {
            if (piece instanceof ObjectNode detail) {
                if (!known.isEmpty() && continues((ObjectNode) known.get(known.size() - 1), detail)) {
                    grow(texts, (ObjectNode) known.get(known.size() - 1), detail);
                } else {
                    known.add(detail.deepCopy());
                }
            }
        }
    }

    private static boolean continues(ObjectNode last, ObjectNode detail) {
        return GROWING.stream().anyMatch(name -> last.path(name).isTextual())
                && !detail.has("data")
                && last.path("type").equals(detail.path("type"))
                && last.path("index").equals(detail.path("index"))
                && (!detail.hasNonNull("id")
                        || !last.hasNonNull("id")
                        || last.path("id").equals(detail.path("id")));
    }

    private static void grow(GrowingTexts texts, ObjectNode last, ObjectNode detail) {
        detail.properties().forEach(field -> {
            if (GROWING.contains(field.getKey()) && field.getValue().isTextual()) {
                texts.append(last, field.getKey(), field.getValue().textValue());
            } else if (!field.getValue().isNull()) {
                last.set(field.getKey(), field.getValue());
            }
        });
    }

    static ObjectNode of(JsonNode message) {
        var state = Json.object();
        TEXTS.stream()
                .filter(name -> message.path(name).isTextual()
                        && !message.path(name).asText().isEmpty())
                .forEach(name -> state.set(name, message.path(name)));
        if (message.path(DETAILS).isArray() && !message.path(DETAILS).isEmpty()) {
            state.set(DETAILS, message.path(DETAILS));
        }
        OF_MESSAGE.merge(message, state);
        return state;
    }
}
