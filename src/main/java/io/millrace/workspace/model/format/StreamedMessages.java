package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Map;

record StreamedMessages() implements StreamedFormat {
    /** Field of a block that grows, by the type of the delta. */
    private static final Map<String, String> GROWING = Map.of(
            "text_delta", "text",
            "thinking_delta", "thinking",
            "signature_delta", "signature");

    private static final String PARTIAL = "partial_json";

    @Override
    public void ask(ObjectNode body) {
        body.put("stream", true);
    }

    @Override
    public String text(JsonNode event) {
        return event.at("/delta/type").asText("").equals("text_delta")
                ? event.at("/delta/text").asText("")
                : "";
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var blocks = new StreamedBlocks();
        var whole = Json.object();
        var texts = new GrowingTexts();
        var stopped = false;
        for (var event : events) {
            switch (event.path("type").asText("")) {
                case "message_start" ->
                    usageOf(whole).setAll(objectOf(event.path("message").path("usage")));
                case "content_block_start" -> blocks.open(event.path("index"), objectOf(event.path("content_block")));
                case "content_block_delta" -> grow(texts, blocks, event);
                case "message_delta" -> {
                    if (event.at("/delta/stop_reason").isTextual()) {
                        whole.set("stop_reason", event.at("/delta/stop_reason"));
                        stopped = true;
                    }
                    usageOf(whole).setAll(objectOf(event.path("usage")));
                }
                case "message_stop" -> stopped = true;
                case "error" ->
                    throw new IllegalArgumentException(
                            event.at("/error/message").asText("the stream broke off"));
                default -> stopped |= event.equals(ModelEvents.DONE);
            }
        }
        if (!stopped) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        texts.finish();
        whole.set("content", blocks.toJson(StreamedMessages::finished));
        return whole;
    }

    private static ObjectNode usageOf(ObjectNode whole) {
        return whole.withObjectProperty("usage");
    }

    private static ObjectNode objectOf(JsonNode given) {
        return given instanceof ObjectNode object ? object.deepCopy() : Json.object();
    }

    private static void grow(GrowingTexts texts, StreamedBlocks blocks, JsonNode event) {
        var delta = event.path("delta");
        var type = delta.path("type").asText("");
        var grows = GROWING.get(type);
        if (grows != null) {
            var block = blocks.at(event.path("index"), known -> !isCall(known) && !isOther(known, grows));
            texts.append(block, grows, delta.path(grows).asText(""));
        } else if (type.equals("input_json_delta")) {
            var partial = delta.path(PARTIAL);
            var block = blocks.at(event.path("index"), StreamedMessages::isCall);
            texts.append(block, PARTIAL, partial.isContainerNode() ? Json.text(partial) : partial.asText(""));
        } else if (type.equals("citations_delta")) {
            var block = blocks.at(event.path("index"), known -> !isCall(known));
            var citations = block.path("citations") instanceof ArrayNode known ? known : block.putArray("citations");
            citations.add(delta.path("citation"));
        }
    }

    private static boolean isCall(ObjectNode block) {
        return block.path("type").asText("").endsWith("tool_use");
    }

    /** Thoughts and texts do not share a block, even with the same index. */
    private static boolean isOther(ObjectNode block, String grows) {
        return grows.equals("text")
                ? block.has("thinking")
                : block.path("type").asText("").equals("text");
    }

    /** Arguments that are not JSON stay text, and their call is not performed. */
    private static ObjectNode finished(ObjectNode block) {
        var partial = block.remove(PARTIAL);
        if (partial != null && !partial.asText("").isBlank()) {
            try {
                block.set("input", Json.parse(partial.asText()));
            } catch (JsonProcessingException malformed) {
                block.set("input", TextNode.valueOf(partial.asText()));
            }
        }
        if (!block.has("type")) {
            // The event that begins the block was lost: a call without a name is answered to the model as an error.
            block.put("type", partial != null ? "tool_use" : block.has("text") ? "text" : "thinking");
        }
        return block;
    }
}
