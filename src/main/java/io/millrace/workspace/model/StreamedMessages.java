package io.millrace.workspace.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Messages of Anthropic in events: blocks that begin, grow and end. */
record StreamedMessages() implements StreamedFormat {
    /** What grows in a block, by the type of the delta. */
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
        var blocks = new TreeMap<Integer, ObjectNode>();
        var whole = Json.object();
        var texts = new GrowingTexts();
        var stopped = false;
        for (var event : events) {
            switch (event.path("type").asText("")) {
                case "message_start" ->
                    usageOf(whole).setAll(objectOf(event.path("message").path("usage")));
                case "content_block_start" ->
                    blocks.put(event.path("index").asInt(), objectOf(event.path("content_block")));
                case "content_block_delta" ->
                    grow(
                            texts,
                            blocks.computeIfAbsent(event.path("index").asInt(), _ -> Json.object()),
                            event.path("delta"));
                case "message_delta" -> {
                    whole.set("stop_reason", event.at("/delta/stop_reason"));
                    usageOf(whole).setAll(objectOf(event.path("usage")));
                }
                case "message_stop" -> stopped = true;
                case "error" ->
                    throw new IllegalArgumentException(
                            event.at("/error/message").asText("the stream broke off"));
                default -> {
                    // A sign of life, or something that is not known yet.
                }
            }
        }
        if (!stopped) {
            throw new IllegalArgumentException("the stream ended before the answer did");
        }
        texts.finish();
        var content = whole.putArray("content");
        blocks.values().forEach(block -> content.add(finished(block)));
        return whole;
    }

    private static ObjectNode usageOf(ObjectNode whole) {
        return whole.withObjectProperty("usage");
    }

    private static ObjectNode objectOf(JsonNode given) {
        return given instanceof ObjectNode object ? object.deepCopy() : Json.object();
    }

    private static void grow(GrowingTexts texts, ObjectNode block, JsonNode delta) {
        var type = delta.path("type").asText("");
        var grows = GROWING.get(type);
        if (grows != null) {
            texts.append(block, grows, delta.path(grows).asText(""));
        } else if (type.equals("input_json_delta")) {
            texts.append(block, PARTIAL, delta.path(PARTIAL).asText(""));
        } else if (type.equals("citations_delta")) {
            var citations = block.path("citations") instanceof ArrayNode known ? known : block.putArray("citations");
            citations.add(delta.path("citation"));
        }
    }

    /** Arguments come as text; what is no JSON is told to the model as such. */
    private static ObjectNode finished(ObjectNode block) {
        var partial = block.remove(PARTIAL);
        if (partial != null && !partial.asText("").isBlank()) {
            try {
                block.set("input", Json.parse(partial.asText()));
            } catch (JsonProcessingException malformed) {
                block.set("input", TextNode.valueOf(partial.asText()));
            }
        }
        return block;
    }
}
