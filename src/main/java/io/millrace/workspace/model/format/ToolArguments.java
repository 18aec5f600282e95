package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.piece.model.ToolRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the tool calls of an answer. Arguments are an object, a JSON text of one, or a JSON text that was encoded twice;
 * other arguments mark the call as faulty, and it is never performed. Every call has an id that is unique in the answer.
 */
final class ToolArguments {
    private static final int SHOWN_LENGTH_MAX = 200;

    private final List<ToolRequest> calls = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    List<ToolRequest> calls() {
        return calls;
    }

    /**
     * Adds a call.
     *
     * @param id empty text for none
     * @param arguments missing, null or a blank text for none
     * @return the call as it was added, with its id
     */
    ToolRequest add(String id, String name, JsonNode arguments) {
        var own = id.isBlank() || ids.contains(id) ? "call_" + Ids.next() : id;
        ids.add(own);
        var call = read(own, name, arguments);
        calls.add(call);
        return call;
    }

    private static ToolRequest read(String id, String name, JsonNode arguments) {
        if (arguments.isMissingNode()
                || arguments.isNull()
                || arguments.isTextual() && arguments.asText().isBlank()) {
            return new ToolRequest(id, name, Json.object(), null);
        }
        try {
            return parsed(arguments) instanceof ObjectNode object
                    ? new ToolRequest(id, name, object, null)
                    : new ToolRequest(id, name, Json.object(), problem("are not a JSON object", arguments));
        } catch (JsonProcessingException malformed) {
            return new ToolRequest(id, name, Json.object(), problem("are not JSON", arguments));
        }
    }

    private static JsonNode parsed(JsonNode arguments) throws JsonProcessingException {
        var value = arguments.isTextual() ? Json.parse(arguments.textValue()) : arguments;
        return arguments.isTextual() && value.isTextual() ? Json.parse(value.textValue()) : value;
    }

    private static String problem(String what, JsonNode arguments) {
        var received = arguments.isTextual() ? arguments.textValue() : Json.text(arguments);
        return "the arguments " + what + ": " + ShownText.of(received, SHOWN_LENGTH_MAX);
    }
}
