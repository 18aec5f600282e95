package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/** Contents of Gemini in fragments, each in the form of a whole answer: their parts are concatenated. */
record StreamedContents() implements StreamedFormat {
    private static final String SIGNATURE = "thoughtSignature";

    /** Fields of the whole response: a later value replaces an earlier one. */
    private static final List<String> OF_THE_WHOLE = List.of("usageMetadata", "promptFeedback");

    /** The address requests the stream. */
    @Override
    public void ask(ObjectNode body) {
        // The body has no option for it.
    }

    @Override
    public String text(JsonNode event) {
        var text = new StringBuilder();
        for (var part : event.at("/candidates/0/content/parts")) {
            if (!part.path("thought").asBoolean(false)) {
                text.append(part.path("text").asText(""));
            }
        }
        return text.toString();
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var whole = Json.object();
        var candidate = Json.object();
        var texts = new GrowingTexts();
        var done = false;
        var parts = candidate.putObject("content").put("role", "model").putArray("parts");
        for (var event : events) {
            done |= event.equals(ModelEvents.DONE);
            if (event.path("error").isObject()) {
                throw new IllegalArgumentException(event.at("/error/message").asText("the stream broke off"));
            }
            OF_THE_WHOLE.stream()
                    .filter(name -> event.path(name).isObject())
                    .forEach(name -> whole.set(name, event.path(name)));
            var piece = event.path("candidates").path(0);
            piece.at("/content/parts").forEach(part -> add(texts, parts, part));
            for (var name : List.of("finishReason", "groundingMetadata")) {
                if (piece.hasNonNull(name)) {
                    candidate.set(name, piece.path(name));
                }
            }
        }
        texts.finish();
        if (candidate.has("finishReason") || done) {
            whole.putArray("candidates").add(candidate);
        } else if (!whole.at("/promptFeedback/blockReason").isTextual()) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        return whole;
    }

    /** Joins consecutive texts. A signed part is kept as received, because the provider expects it unchanged. */
    private static void add(GrowingTexts texts, ArrayNode parts, JsonNode part) {
        if (!parts.isEmpty()
                && parts.get(parts.size() - 1) instanceof ObjectNode last
                && isPlainText(last)
                && isPlainText(part)
                && last.path("thought").equals(part.path("thought"))) {
            texts.append(last, "text", part.path("text").asText());
        } else {
            parts.add(part.deepCopy());
        }
    }

    private static boolean isPlainText(JsonNode part) {
        return part.path("text").isTextual() && !part.has(SIGNATURE);
    }
}
