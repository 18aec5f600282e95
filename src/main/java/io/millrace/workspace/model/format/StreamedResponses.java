package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The responses API in events. The last event has the whole response; output or arguments that a server omits there are taken
 * from the earlier events.
 */
record StreamedResponses() implements StreamedFormat {
    private static final String OUTPUT = "output";
    private static final String ARGUMENTS = "arguments";
    private static final String TYPE = "type";
    private static final String CALL = "function_call";
    private static final String INDEX = "output_index";

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
        private final List<ObjectNode> items = new ArrayList<>();
        private final Map<String, ObjectNode> byId = new HashMap<>();
        private final Map<String, ObjectNode> byIndex = new HashMap<>();
        private final GrowingTexts texts = new GrowingTexts();

        private static String idOf(JsonNode event, JsonNode item) {
            return item.path("id").asText(event.path("item_id").asText(""));
        }

        /** Known item of an event; some servers give an item another id in each event, others omit the id or the index. */
        private Optional<ObjectNode> known(JsonNode event, JsonNode item) {
            var id = idOf(event, item);
            var index = event.path(INDEX).asText("");
            var known = byId.get(id);
            if (known == null && !index.isEmpty()) {
                known = byIndex.get(index);
            }
            return Optional.ofNullable(
                    known == null && id.isEmpty() && index.isEmpty() && !items.isEmpty() ? items.getLast() : known);
        }

        private ObjectNode add(JsonNode event, ObjectNode item) {
            items.add(item);
            byIndex.put(event.path(INDEX).asText(""), item);
            note(event, item, item);
            return item;
        }

        private void note(JsonNode event, JsonNode said, ObjectNode item) {
            var id = idOf(event, said);
            if (!id.isEmpty()) {
                byId.put(id, item);
            }
        }

        private ObjectNode at(JsonNode event, String type) {
            return known(event, Json.object())
                    .filter(item -> item.path(TYPE).asText("").equals(type))
                    .orElseGet(() -> add(event, Json.object().put(TYPE, type)));
        }

        void begin(JsonNode event) {
            if (event.path("item") instanceof ObjectNode item) {
                add(event, item.deepCopy());
            }
        }

        void end(JsonNode event) {
            if (!(event.path("item") instanceof ObjectNode item)) {
                return;
            }
            var begun = known(event, item).filter(known -> isBegun(known, item));
            if (begun.isEmpty()) {
                add(event, item.deepCopy());
                return;
            }
            // Keeps the accumulated text where the finished item omits it.
            var open = begun.get();
            var keepsArguments = isCall(item) && isBlank(item.path(ARGUMENTS));
            if (!keepsArguments) {
                texts.forget(open, ARGUMENTS);
            }
            if (!isCall(item)) {
                open.removeAll();
            }
            item.properties().stream()
                    .filter(field -> !keepsArguments || !field.getKey().equals(ARGUMENTS))
                    .forEach(field -> open.set(field.getKey(), field.getValue().deepCopy()));
            note(event, item, open);
        }

        private static boolean isBegun(ObjectNode begun, ObjectNode item) {
            return begun.path(TYPE).equals(item.path(TYPE))
                    && List.of("call_id", "name").stream()
                            .allMatch(name -> !begun.hasNonNull(name)
                                    || !item.hasNonNull(name)
                                    || begun.path(name).equals(item.path(name)));
        }

        void grow(JsonNode event) {
            var delta = event.path("delta");
            texts.append(at(event, CALL), ARGUMENTS, delta.isContainerNode() ? Json.text(delta) : delta.asText(""));
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
            whole.putArray(OUTPUT).addAll(items.items);
            return whole;
        }
        for (var item : output) {
            if (isCall(item) && isBlank(item.path(ARGUMENTS))) {
                items.items.stream()
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
