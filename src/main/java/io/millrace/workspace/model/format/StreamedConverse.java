package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;

/** Conversations of Amazon Bedrock in binary events: blocks that begin and grow; the last event has the usage. */
record StreamedConverse() implements StreamedFormat {
    private static final String TOOL = "toolUse";
    private static final String INPUT = "input";
    private static final String INDEX = "contentBlockIndex";
    private static final String REASONING = "reasoningContent";
    private static final List<String> OF_REASONING = List.of("text", "signature");

    /** The address requests the stream. */
    @Override
    public void ask(ObjectNode body) {
        // The body has no option for it.
    }

    @Override
    public String mediaType() {
        return EventFrames.MEDIA_TYPE;
    }

    @Override
    public boolean isStream(String contentType, Buffer body) {
        return contentType.contains(mediaType());
    }

    @Override
    public List<JsonNode> events(Buffer body) {
        return EventFrames.of(body);
    }

    @Override
    public Consumer<Buffer> eventReader(Consumer<JsonNode> receiver) {
        return new EventFrames(receiver)::accept;
    }

    @Override
    public String text(JsonNode event) {
        return event.at("/contentBlockDelta/delta/text").asText("");
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var blocks = new StreamedBlocks();
        var whole = Json.object();
        var texts = new GrowingTexts();
        for (var event : events) {
            if (event.has(EventFrames.EXCEPTION)) {
                throw new IllegalArgumentException(reasonOf(event.path(EventFrames.EXCEPTION)));
            }
            var start = event.path("contentBlockStart");
            if (start.path("start").has(TOOL)) {
                blocks.open(
                        start.path(INDEX),
                        Json.object().set(TOOL, start.at("/start/toolUse").deepCopy()));
            }
            var delta = event.path("contentBlockDelta");
            if (delta.isObject()) {
                grow(texts, blocks, delta);
            }
            if (event.has("messageStop")) {
                whole.set("stopReason", event.at("/messageStop/stopReason"));
            }
            if (event.has("metadata")) {
                whole.set("usage", event.at("/metadata/usage"));
            }
        }
        // The usage is the last event.
        if (!whole.has("stopReason") && !whole.has("usage")) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        texts.finish();
        var message = whole.putObject("output").putObject("message").put("role", "assistant");
        message.set("content", blocks.toJson(StreamedConverse::finished));
        return whole;
    }

    private static String reasonOf(JsonNode exception) {
        var said = exception.path("message").asText("");
        return said.isBlank() ? exception.path("type").asText("the stream broke off") : said;
    }

    /** Reasoning keeps its signature or its encrypted form. */
    private static void grow(GrowingTexts texts, StreamedBlocks blocks, JsonNode event) {
        var index = event.path(INDEX);
        var delta = event.path("delta");
        if (delta.path("text").isTextual()) {
            var block = blocks.at(index, known -> !known.has(TOOL) && !known.has(REASONING));
            append(texts, block, "text", delta.path("text"));
        }
        if (delta.has(TOOL)) {
            var block = blocks.at(index, known -> known.has(TOOL));
            append(texts, block.withObjectProperty(TOOL), INPUT, delta.at("/toolUse/input"));
        }
        if (delta.path(REASONING).isObject()) {
            var block = blocks.at(index, known -> known.isEmpty() || known.has(REASONING));
            growReasoning(texts, block.withObjectProperty(REASONING), delta.path(REASONING));
        }
    }

    private static void growReasoning(GrowingTexts texts, ObjectNode known, JsonNode reasoning) {
        if (reasoning.has("redactedContent")) {
            append(texts, known, "redactedContent", reasoning.path("redactedContent"));
        }
        OF_REASONING.stream()
                .filter(name -> reasoning.path(name).isTextual())
                .forEach(name -> append(texts, known.withObjectProperty("reasoningText"), name, reasoning.path(name)));
    }

    private static void append(GrowingTexts texts, ObjectNode block, String name, JsonNode more) {
        texts.append(block, name, more.isContainerNode() ? Json.text(more) : more.asText(""));
    }

    /** Arguments arrive as text; text that is not JSON stays text, and its call is not performed. */
    private static ObjectNode finished(ObjectNode block) {
        if (block.path(TOOL) instanceof ObjectNode use) {
            // A proxy may send the whole input at the beginning.
            if (use.path(INPUT).isObject()) {
                return block;
            }
            var written = use.path(INPUT).asText("");
            try {
                use.set(INPUT, written.isBlank() ? Json.object() : Json.parse(written));
            } catch (JsonProcessingException malformed) {
                use.set(INPUT, TextNode.valueOf(written));
            }
        }
        return block;
    }
}
