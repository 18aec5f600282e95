package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The responses API in events. The last event has the whole response; output or arguments that a server omits there are taken
 * from the earlier events.
 */
record StreamedResponses() implements StreamedFormat {
    private static final String OUTPUT = "output";
    private static final String ARGUMENTS = "arguments";
    private static final String TYPE = "type";
    private static final String CALL = "function_call";

    @Override
    public void ask(ObjectNode body) {
        body.put("stream", true);
    }

    @Override
    public String text(JsonNode event) {
        return event.path(TYPE).asText("").equals("response.output_text.delta")
                ? event.path("delta").asText("")
                : "";
    }

    /** Items of the output as events describe them, in the order in which they begin. */
    private static final class Items {
        private final Map<String, ObjectNode> items = new LinkedHashMap<>();
        private final GrowingTexts texts = new GrowingTexts();

        private static String keyOf(JsonNode event, JsonNode item) {
            var id = item.path("id").asText(event.path("item_id").asText(""));
            return id.isEmpty() ? "#" + event.path("output_index").asText("") : id;
        }

        private ObjectNode at(JsonNode event, String type) {
            return items.computeIfAbsent(
                    keyOf(event, Json.object()), _ -> Json.object().put(TYPE, type));
        }

        void begin(JsonNode event) {
            if (event.path("item") instanceof ObjectNode item) {
                items.put(keyOf(event, item), item.deepCopy());
            }
        }

        void end(JsonNode event) {
            if (!(event.path("item") instanceof ObjectNode item)) {
                return;
            }
            var begun = items.get(keyOf(event, item));
            // Keeps the accumulated text where the finished item omits it.
            if (begun != null && isBlank(item.path(ARGUMENTS)) && isCall(item)) {
                var open = begun;
                item.properties().stream()
                        .filter(field -> !field.getKey().equals(ARGUMENTS))
                        .forEach(field -> open.set(field.getKey(), field.getValue()));
            } else {
                items.put(keyOf(event, item), item.deepCopy());
            }
        }

        void grow(JsonNode event) {
            texts.append(at(event, CALL), ARGUMENTS, event.path("delta").asText(""));
        }

        void setArguments(JsonNode event) {
            if (!isBlank(event.path(ARGUMENTS))) {
                var call = at(event, CALL);
                texts.forget(call, ARGUMENTS);
                call.set(ARGUMENTS, event.path(ARGUMENTS));
            }
        }

        void say(JsonNode event) {
            var message = at(event, "message");
            var content = message.path("content") instanceof ArrayNode known ? known : message.putArray("content");
            var part = content.isEmpty() ? content.addObject().put(TYPE, "output_text") : (ObjectNode) content.get(0);
            texts.append(part, "text", event.path("delta").asText(""));
        }

        void finish() {
            texts.finish();
        }
    }

    @Override
    public JsonNode whole(List<JsonNode> events) {
        var items = new Items();
        JsonNode response = null;
        var done = false;
        for (var event : events) {
            switch (event.path(TYPE).asText("")) {
                case "response.output_item.added" -> items.begin(event);
                case "response.output_item.done" -> items.end(event);
                case "response.function_call_arguments.delta" -> items.grow(event);
                case "response.function_call_arguments.done" -> items.setArguments(event);
                case "response.output_text.delta" -> items.say(event);
                case "response.completed", "response.incomplete", "response.done" -> response = event.path("response");
                case "response.failed" -> throw brokenOff(event.at("/response/error/message"));
                case "error" ->
                    throw brokenOff(event.has("message") ? event.path("message") : event.at("/error/message"));
                default -> done |= event.equals(ModelEvents.DONE);
            }
        }
        if (response == null && !done) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        items.finish();
        return completed(response instanceof ObjectNode whole ? whole.deepCopy() : Json.object(), items);
    }

    private static ObjectNode completed(ObjectNode whole, Items items) {
        if (!(whole.path(OUTPUT) instanceof ArrayNode output) || output.isEmpty()) {
            whole.putArray(OUTPUT).addAll(items.items.values());
            return whole;
        }
        for (var item : output) {
            if (isCall(item) && isBlank(item.path(ARGUMENTS))) {
                items.items.values().stream()
                        .filter(known -> isSame(known, item))
                        .findFirst()
                        .ifPresent(known -> ((ObjectNode) item).set(ARGUMENTS, known.path(ARGUMENTS)));
            }
        }
        return whole;
    }

    private static boolean isSame(JsonNode known, JsonNode item) {
        return isCall(known)
                && !isBlank(known.path(ARGUMENTS))
                && List.of("id", "call_id").stream()
                        .anyMatch(name ->
                                known.path(name).isTextual() && known.path(name).equals(item.path(name)));
    }

    private static boolean isCall(JsonNode item) {
        return item.path(TYPE).asText("").equals(CALL);
    }

    private static boolean isBlank(JsonNode arguments) {
        return arguments.isMissingNode()
                || arguments.isNull()
                || arguments.isTextual() && arguments.asText().isBlank();
    }

    private static IllegalArgumentException brokenOff(JsonNode reason) {
        return new IllegalArgumentException(reason.asText("the stream broke off"));
    }
}
