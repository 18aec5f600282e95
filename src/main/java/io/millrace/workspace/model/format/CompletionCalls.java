package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Joins the fragments of tool calls of a chat completion. Providers identify a call differently: an {@code index} may be
 * missing, a text, counted from 1 or the same for all calls; an id may be sent once, in every fragment, never, or be a new
 * one for each fragment; the name may be repeated; arguments may be fragments of text or a whole object. A fragment belongs
 * to a known call unless it shows the contrary: another id with a name, another name, or more arguments for a call whose
 * arguments are complete. Wrongly joined arguments are not valid JSON, and such a call is not performed.
 */
final class CompletionCalls {
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Call> byKey = new HashMap<>();
    private final Map<String, Call> byId = new HashMap<>();
    private int chunk;

    private static final class Call {
        private final StringBuilder arguments = new StringBuilder();
        private final JsonExtent extent = new JsonExtent();
        private final ObjectNode state = Json.object();
        private String id = "";
        private String name = "";
        private String key = "";
        private int chunk;

        private boolean hasArguments() {
            return !arguments.isEmpty();
        }

        private boolean repeats(String more) {
            return more.length() == arguments.length() && more.contentEquals(arguments);
        }

        private boolean isSameAs(CallPiece piece) {
            return name.equals(piece.name())
                    && (piece.id().isEmpty() || piece.id().equals(id))
                    && (repeats(piece.arguments()) || isSameJson(piece.arguments()));
        }

        private boolean isSameJson(String other) {
            try {
                return Json.parse(arguments.toString()).equals(Json.parse(other));
            } catch (JsonProcessingException damaged) {
                return false;
            }
        }
    }

    private record CallPiece(String key, String id, String name, String arguments) {
        static CallPiece of(JsonNode piece, int position) {
            var function = functionOf(piece);
            var index = piece.path("index");
            var key = index.isNumber()
                    ? String.valueOf(index.asLong())
                    : scalar(index).strip();
            return new CallPiece(
                    key.isEmpty() && position >= 0 ? "#" + position : key,
                    scalar(piece.path("id")),
                    scalar(function.path("name")),
                    argumentsOf(function));
        }

        private static String argumentsOf(JsonNode function) {
            var given = function.has("arguments") ? function.path("arguments") : function.path("parameters");
            if (given.isNull() || given.isMissingNode()) {
                return "";
            }
            return given.isTextual() ? given.textValue() : Json.text(given);
        }

        /** True if the fragment cannot belong to this call. */
        boolean beginsAnother(Call call) {
            if (name.isEmpty()) {
                return false;
            }
            return !call.name.isEmpty() && !call.name.equals(name)
                    || call.extent.isComplete()
                            && !arguments.isBlank()
                            && !(id.equals(call.id) && !id.isEmpty() && call.repeats(arguments));
        }
    }

    /** Calls of an unstreamed message: each element is one call. */
    static CompletionCalls whole(JsonNode message) {
        var read = new CompletionCalls();
        elements(message).forEach(element -> read.append(read.open(CallPiece.of(element, -1)), element));
        return read;
    }

    void add(JsonNode message) {
        chunk++;
        var pieces = elements(message);
        for (var position = 0; position < pieces.size(); position++) {
            var piece = CallPiece.of(pieces.get(position), pieces.size() > 1 ? position : -1);
            append(callOf(piece), pieces.get(position));
        }
    }

    /** True if a message has the calls that are known already, in their order: some servers send it after the fragments. */
    boolean areRepeatedIn(JsonNode message) {
        var pieces = elements(message);
        return !pieces.isEmpty()
                && pieces.size() == calls.size()
                && IntStream.range(0, pieces.size())
                        .allMatch(at -> calls.get(at).isSameAs(CallPiece.of(pieces.get(at), -1)));
    }

    /** {@code tool_calls} as a list or as a single call, or the {@code function_call} of older servers. */
    private static List<JsonNode> elements(JsonNode message) {
        var given = message.path("tool_calls");
        if (given.isArray()) {
            return given.valueStream().filter(JsonNode::isObject).toList();
        }
        if (given.isObject()) {
            return List.of(given);
        }
        return message.path("function_call").isObject()
                ? List.of(Json.object().set("function", message.path("function_call")))
                : List.of();
    }

    private static JsonNode functionOf(JsonNode piece) {
        return piece.path("function").isObject() ? piece.path("function") : piece;
    }

    private static String scalar(JsonNode value) {
        return value.isTextual() || value.isNumber() ? value.asText() : "";
    }

    private Call callOf(CallPiece piece) {
        return piece.id().isEmpty() ? withoutId(piece) : withId(piece);
    }

    private Call withId(CallPiece piece) {
        var named = knownAt(piece);
        var same = named != null && named.id.equals(piece.id()) ? named : byId.get(piece.id());
        if (same != null) {
            // One id for several calls: another index begins another call.
            var isElsewhere = same != named && !piece.key().isEmpty() && !same.key.isEmpty();
            return piece.beginsAnother(same) || isElsewhere && !piece.name().isEmpty() ? open(piece) : same;
        }
        var mayBeMore = named != null
                && (piece.name().isEmpty()
                        || named.id.isEmpty() && !piece.beginsAnother(named) && named.chunk != chunk);
        return mayBeMore ? named : open(piece);
    }

    private Call withoutId(CallPiece piece) {
        var known = knownAt(piece);
        if (known == null
                && piece.name().isEmpty()
                && !calls.isEmpty()
                && calls.getLast().key.isEmpty()) {
            known = calls.getLast();
        }
        if (known == null || !piece.name().isEmpty() && (known.chunk == chunk || piece.beginsAnother(known))) {
            return open(piece);
        }
        return known;
    }

    private Call knownAt(CallPiece piece) {
        if (!piece.key().isEmpty()) {
            return byKey.get(piece.key());
        }
        return calls.isEmpty() ? null : calls.getLast();
    }

    private Call open(CallPiece piece) {
        var call = new Call();
        calls.add(call);
        call.key = piece.key();
        return call;
    }

    private void append(Call call, JsonNode given) {
        var piece = CallPiece.of(given, -1);
        call.chunk = chunk;
        if (!call.key.isEmpty()) {
            byKey.put(call.key, call);
        }
        if (call.id.isEmpty() && !piece.id().isEmpty()) {
            call.id = piece.id();
        }
        if (!piece.id().isEmpty()) {
            byId.put(piece.id(), call);
        }
        call.name = call.name.isEmpty() ? piece.name() : call.name;
        appendArguments(call, piece.arguments());
        CompletionState.OF_CALL.merge(given, call.state);
        CompletionState.OF_CALL.merge(given.path("function"), call.state);
    }

    private static void appendArguments(Call call, String more) {
        // Some servers repeat the whole arguments at the end.
        if (more.isEmpty() || call.extent.isComplete() && call.repeats(more)) {
            return;
        }
        // An empty object may be a placeholder for arguments in later fragments.
        if (call.arguments.length() == 2
                && call.extent.isComplete()
                && more.stripLeading().startsWith("{")) {
            call.arguments.setLength(0);
        }
        call.arguments.append(more);
        call.extent.add(more);
    }

    /** The calls in the form of an unstreamed message; fragments without a name, an id and arguments are ignored. */
    ArrayNode toJson() {
        var json = Json.array();
        for (var call : calls) {
            if (!call.name.isEmpty() || !call.id.isEmpty() || call.hasArguments()) {
                var written = json.addObject();
                if (!call.id.isEmpty()) {
                    written.put("id", call.id);
                }
                written.put("type", "function");
                written.putObject("function").put("name", call.name).put("arguments", call.arguments.toString());
                written.setAll(call.state);
            }
        }
        return json;
    }
}
