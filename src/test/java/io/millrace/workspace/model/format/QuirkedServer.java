package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.model.format.ToolCallDialects.Sent;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** A server that sends calls as chat completions, with the given quirks; {@link QuirkedBlocks} has the other formats. */
class QuirkedServer {
    static final String TEXT = "I look it up.";
    static final String THOUGHTS = "Two cities, two calls.";

    private final EnumSet<Quirk> quirks;
    private final Random random;

    QuirkedServer(EnumSet<Quirk> quirks, long seed) {
        this.quirks = quirks;
        this.random = new Random(seed);
    }

    final boolean has(Quirk quirk) {
        return quirks.contains(quirk);
    }

    /** Fragment of a call. */
    record CallFragment(int number, Sent call, boolean isFirst, JsonNode arguments) {}

    final List<CallFragment> pieces(List<Sent> calls) {
        var byCall = new ArrayList<List<CallFragment>>();
        for (var number = 0; number < calls.size(); number++) {
            var call = calls.get(number);
            var own = new ArrayList<CallFragment>();
            for (var argument : fragments(call.arguments())) {
                own.add(new CallFragment(number, call, own.isEmpty(), argument));
            }
            byCall.add(own);
        }
        var pieces = new ArrayList<CallFragment>();
        if (has(Quirk.CALLS_INTERLEAVED)) {
            // All calls begin in order; their fragments are interleaved.
            byCall.forEach(own -> pieces.add(own.removeFirst()));
            while (byCall.stream().anyMatch(own -> !own.isEmpty())) {
                var own = byCall.get(random.nextInt(byCall.size()));
                if (!own.isEmpty()) {
                    pieces.add(own.removeFirst());
                }
            }
        } else {
            byCall.forEach(pieces::addAll);
        }
        return pieces;
    }

    private List<JsonNode> fragments(ObjectNode arguments) {
        var fragments = new ArrayList<JsonNode>();
        if (has(Quirk.ARGUMENTS_NULL_FIRST)) {
            fragments.add(Json.object().nullNode());
        }
        if (has(Quirk.ARGUMENTS_AS_OBJECT)) {
            fragments.add(arguments);
            return fragments;
        }
        var text = Json.text(arguments);
        if (has(Quirk.ARGUMENTS_ENCODED_TWICE)) {
            text = Json.text(TextNode.valueOf(text));
        }
        for (var from = 0; from < text.length(); ) {
            var to = has(Quirk.CALLS_IN_ONE_EVENT)
                    ? text.length()
                    : Math.min(text.length(), from + 1 + random.nextInt(9));
            fragments.add(TextNode.valueOf(text.substring(from, to)));
            from = to;
        }
        return fragments;
    }

    final void number(ObjectNode event, String name, int number) {
        if (has(Quirk.INDEX_MISSING)) {
            return;
        }
        if (has(Quirk.INDEX_AS_TEXT)) {
            event.put(name, String.valueOf(number));
        } else {
            event.put(name, has(Quirk.INDEX_REPEATED) ? 0 : has(Quirk.INDEX_FROM_ONE) ? number + 1 : number);
        }
    }

    final void identify(ObjectNode call, String name, CallFragment piece) {
        if (!has(Quirk.IDS_MISSING) && (piece.isFirst() || has(Quirk.ID_IN_EVERY_PIECE))) {
            call.put(name, has(Quirk.IDS_REPEATED) ? "call_0" : "call_" + piece.number());
        }
    }

    final String reason(String right, String wrong) {
        return has(Quirk.REASON_WRONG) ? wrong : right;
    }

    /** Events as server-sent events. */
    final Buffer framed(List<? extends JsonNode> events, boolean done) {
        var line = has(Quirk.LINES_BY_CRLF) ? "\r\n" : has(Quirk.LINES_BY_CR) ? "\r" : "\n";
        var data = has(Quirk.FRAMED_TWICE) ? "data: data: " : "data: ";
        var body = new StringBuilder();
        for (var event : events) {
            body.append(has(Quirk.COMMENTS) ? ": keep-alive" + line + line : "")
                    .append(has(Quirk.COMMENTS) ? "event: x" + line + "id: 1" + line + "retry: 5" + line : "")
                    .append(data)
                    .append(Json.text(event))
                    .append(line)
                    .append(line);
        }
        return Buffer.buffer(
                body.append(done ? data + "[DONE]" + line + line : "").toString());
    }

    final void addUnknown(List<ObjectNode> events) {
        if (has(Quirk.UNKNOWN_EVENTS)) {
            events.add(random.nextInt(events.size() + 1), Json.object().put("type", "ping"));
        }
        if (has(Quirk.USAGE_NULL)) {
            events.forEach(event -> event.putNull("usage"));
        }
        if (has(Quirk.EMPTY_CHOICES)) {
            var none = Json.object();
            none.putArray("choices");
            events.addFirst(none);
            events.add(none.deepCopy());
        }
    }

    Buffer completions(List<Sent> calls) {
        var events = new ArrayList<ObjectNode>();
        var together = Json.array();
        var whole = Json.object().put("role", "assistant");
        if (has(Quirk.TEXT_BEFORE_CALLS)) {
            whole.put("content", TEXT);
            events.add(choice(Json.object().put("content", TEXT)));
        }
        if (has(Quirk.THOUGHTS_BEFORE_CALLS)) {
            whole.put("reasoning_content", THOUGHTS);
            events.add(choice(Json.object().put("reasoning_content", THOUGHTS)));
        }
        for (var piece : pieces(calls)) {
            var call = Json.object();
            number(call, "index", piece.number());
            identify(call, "id", piece);
            var function = call.putObject("function");
            if (piece.isFirst() || has(Quirk.NAME_IN_EVERY_PIECE)) {
                function.put("name", piece.call().name());
            }
            function.set("arguments", piece.arguments());
            if (has(Quirk.CALLS_IN_ONE_EVENT)) {
                together.add(call);
            } else {
                events.add(choice(Json.object().set("tool_calls", Json.array().add(call))));
            }
        }
        if (!together.isEmpty()) {
            events.add(choice(Json.object().set("tool_calls", together)));
        }
        whole.set("tool_calls", wholeCalls(calls));
        if (has(Quirk.WHOLE_MESSAGE_AFTER_PIECES)) {
            var last = Json.object();
            last.putArray("choices").addObject().set("message", whole);
            events.add(last);
        }
        if (!has(Quirk.REASON_MISSING)) {
            events.add(choice(Json.object()));
            ((ObjectNode) events.getLast().at("/choices/0")).put("finish_reason", reason("tool_calls", "stop"));
        }
        if (has(Quirk.UNSTREAMED)) {
            var body = Json.object();
            body.putArray("choices").addObject().set("message", whole);
            return Buffer.buffer(Json.text(body));
        }
        addUnknown(events);
        return framed(events, true);
    }

    private ArrayNode wholeCalls(List<Sent> calls) {
        var written = Json.array();
        for (var number = 0; number < calls.size(); number++) {
            var call = written.addObject();
            number(call, "index", number);
            identify(call, "id", new CallFragment(number, calls.get(number), true, Json.object()));
            var function =
                    call.putObject("function").put("name", calls.get(number).name());
            function.set("arguments", wholeArguments(calls.get(number)));
        }
        return written;
    }

    final JsonNode wholeArguments(Sent call) {
        if (has(Quirk.ARGUMENTS_AS_OBJECT)) {
            return call.arguments();
        }
        var text = TextNode.valueOf(Json.text(call.arguments()));
        return has(Quirk.ARGUMENTS_ENCODED_TWICE) ? TextNode.valueOf(Json.text(text)) : text;
    }

    private ObjectNode choice(JsonNode delta) {
        var event = Json.object();
        event.putArray("choices").addObject().set(has(Quirk.MESSAGE_FOR_DELTA) ? "message" : "delta", delta);
        return event;
    }
}
