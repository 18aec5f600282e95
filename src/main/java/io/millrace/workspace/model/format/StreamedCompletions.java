package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Chat completions in chunks. Each chunk adds to the message; the last ones have the reason of the end and the usage. A
 * stream ends by a finish reason or by {@code [DONE]}.
 *
 * @param asksForUsage true when the provider reports usage only on request; others report it always and reject the option
 */
public record StreamedCompletions(boolean asksForUsage) implements StreamedFormat {
    private static final List<String> TEXTS = List.of("content", "refusal", "reasoning_content", "reasoning");

    @Override
    public void ask(ObjectNode body) {
        body.put("stream", true);
        if (asksForUsage) {
            body.putObject("stream_options").put("include_usage", true);
        }
    }

    @Override
    public String text(JsonNode event) {
        return textOf(deltaOf(choiceOf(event)).path("content"));
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var message = Json.object().put("role", "assistant");
        var calls = new CompletionCalls();
        var annotations = Json.array();
        var details = Json.array();
        var texts = new GrowingTexts();
        var whole = Json.object();
        var ended = "";
        var hasDeltas = false;
        for (var event : events) {
            failIfBroken(event);
            var choice = choiceOf(event);
            failIfBroken(choice);
            var delta = deltaOf(choice);
            var isDelta =
                    !choice.path("delta").isEmpty() || !choice.path("message").isObject();
            for (var name : TEXTS) {
                // A server may repeat the whole text in a message after the pieces.
                if (isDelta || !hasDeltas || !texts.hasGrownTo(message, name, textOf(delta.path(name)))) {
                    append(texts, message, name, delta.path(name));
                }
            }
            if (isDelta || !hasDeltas || !calls.areRepeatedIn(delta)) {
                calls.add(delta);
            }
            hasDeltas |= isDelta && !delta.isEmpty();
            CompletionState.addDetails(texts, details, delta.path(CompletionState.DETAILS));
            CompletionState.OF_MESSAGE.merge(delta, message);
            if (delta.path("annotations") instanceof ArrayNode more) {
                annotations.addAll(more);
            }
            ended = reasonOf(choice, ended);
            for (var usage : List.of(choice.path("usage"), event.path("usage"))) {
                if (usage.isObject()) {
                    whole.set("usage", usage);
                }
            }
            if (event.equals(ModelEvents.DONE) && ended.isEmpty()) {
                ended = "stop";
            }
        }
        if (ended.isEmpty()) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        texts.finish();
        setIfAny(message, "tool_calls", calls.toJson());
        setIfAny(message, "annotations", annotations);
        setIfAny(message, CompletionState.DETAILS, details);
        whole.putArray("choices").addObject().put("finish_reason", ended).set("message", message);
        return whole;
    }

    private static JsonNode choiceOf(JsonNode event) {
        return event.path("choices").path(0);
    }

    /** Some servers send pieces under the name of a whole message. */
    private static JsonNode deltaOf(JsonNode choice) {
        var delta = choice.path("delta");
        return delta.isEmpty() && choice.path("message").isObject() ? choice.path("message") : delta;
    }

    private static void failIfBroken(JsonNode said) {
        var error = said.path("error");
        if (error.isObject() || error.isTextual() && !error.asText().isBlank()) {
            throw new IllegalArgumentException(
                    error.isTextual() ? error.asText() : error.path("message").asText("the stream broke off"));
        }
    }

    private static String reasonOf(JsonNode choice, String known) {
        var reason = choice.path("finish_reason").asText("");
        return reason.isEmpty() || reason.equals("null") ? known : reason;
    }

    private static void setIfAny(ObjectNode message, String name, ArrayNode values) {
        if (!values.isEmpty()) {
            message.set(name, values);
        }
    }

    private static void append(GrowingTexts texts, ObjectNode message, String name, JsonNode more) {
        var text = textOf(more);
        if (more.isTextual() || !text.isEmpty()) {
            texts.append(message, name, text);
        }
    }

    static String textOf(JsonNode content) {
        return content.isArray()
                ? content.valueStream()
                        .map(part -> part.path("text").asText(""))
                        .collect(Collectors.joining())
                : content.asText("");
    }
}
