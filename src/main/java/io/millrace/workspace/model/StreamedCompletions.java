package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Chat completions in chunks: each adds to the message, and the last ones say why it ended and what it cost.
 *
 * @param asksForUsage whether the provider wants to be asked for what an answer cost; others tell it always, and refuse the
 *     question
 */
record StreamedCompletions(boolean asksForUsage) implements StreamedFormat {
    private static final List<String> TEXTS = List.of("content", "refusal");

    @Override
    public void ask(ObjectNode body) {
        body.put("stream", true);
        if (asksForUsage) {
            body.putObject("stream_options").put("include_usage", true);
        }
    }

    @Override
    public String text(JsonNode event) {
        return textOf(event.at("/choices/0/delta/content"));
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var message = Json.object().put("role", "assistant");
        var calls = new TreeMap<Integer, ObjectNode>();
        var annotations = Json.array();
        var texts = new GrowingTexts();
        var whole = Json.object();
        var ended = "";
        for (var event : events) {
            if (event.path("error").isObject()) {
                throw new IllegalArgumentException(event.at("/error/message").asText("the stream broke off"));
            }
            var choice = event.path("choices").path(0);
            var delta = choice.path("delta");
            TEXTS.forEach(name -> append(texts, message, name, delta.path(name)));
            delta.path("tool_calls").forEach(call -> add(texts, calls, call));
            if (delta.path("annotations") instanceof ArrayNode more) {
                annotations.addAll(more);
            }
            ended = choice.path("finish_reason").asText("").isEmpty()
                    ? ended
                    : choice.path("finish_reason").asText();
            for (var usage : List.of(choice.path("usage"), event.path("usage"))) {
                if (usage.isObject()) {
                    whole.set("usage", usage);
                }
            }
        }
        if (ended.isEmpty() || ended.equals("null")) {
            throw new IllegalArgumentException("the stream ended before the answer did");
        }
        texts.finish();
        if (!calls.isEmpty()) {
            message.putArray("tool_calls").addAll(calls.values());
        }
        if (!annotations.isEmpty()) {
            message.set("annotations", annotations);
        }
        whole.putArray("choices").addObject().put("finish_reason", ended).set("message", message);
        return whole;
    }

    private static void append(GrowingTexts texts, ObjectNode message, String name, JsonNode more) {
        var text = textOf(more);
        if (more.isTextual() || !text.isEmpty()) {
            texts.append(message, name, text);
        }
    }

    /** A text, or parts of which some are texts. */
    private static String textOf(JsonNode content) {
        return content.isArray()
                ? content.valueStream()
                        .map(part -> part.path("text").asText(""))
                        .collect(Collectors.joining())
                : content.asText("");
    }

    /** A call comes in pieces that name its place; its id and its name come once. */
    private static void add(GrowingTexts texts, TreeMap<Integer, ObjectNode> calls, JsonNode piece) {
        var call = calls.computeIfAbsent(
                piece.path("index").asInt(), _ -> Json.object().put("type", "function"));
        if (piece.path("id").isTextual()) {
            call.put("id", piece.path("id").asText());
        }
        var function = call.withObjectProperty("function");
        if (piece.at("/function/name").isTextual()) {
            function.put("name", piece.at("/function/name").asText());
        }
        append(texts, function, "arguments", piece.at("/function/arguments"));
    }
}
