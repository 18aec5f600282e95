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

/** Server of the formats whose responses consist of blocks, parts or items. */
final class QuirkedBlocks extends QuirkedServer {
    QuirkedBlocks(EnumSet<Quirk> quirks, long seed) {
        super(quirks, seed);
    }

    Buffer messages(List<Sent> calls) {
        var events = new ArrayList<ObjectNode>();
        var content = Json.array();
        if (has(Quirk.THOUGHTS_BEFORE_CALLS)) {
            content.addObject()
                    .put("type", "thinking")
                    .put("thinking", THOUGHTS)
                    .put("signature", "s");
        }
        if (has(Quirk.TEXT_BEFORE_CALLS)) {
            content.addObject().put("type", "text").put("text", TEXT);
        }
        var before = content.size();
        for (var number = 0; number < before; number++) {
            var start = Json.object().put("type", "content_block_start");
            number(start, "index", number);
            events.add(start.set("content_block", content.get(number)));
        }
        for (var piece : pieces(calls)) {
            if (piece.isFirst()) {
                var start = Json.object().put("type", "content_block_start");
                number(start, "index", before + piece.number());
                var block = start.putObject("content_block").put("type", "tool_use");
                identify(block, "id", piece);
                block.put("name", piece.call().name()).putObject("input");
                events.add(start);
                content.add(block.deepCopy().set("input", wholeInput(piece.call())));
            }
            var delta = Json.object().put("type", "content_block_delta");
            number(delta, "index", before + piece.number());
            delta.putObject("delta").put("type", "input_json_delta").set("partial_json", piece.arguments());
            events.add(delta);
        }
        if (!has(Quirk.REASON_MISSING)) {
            var end = Json.object().put("type", "message_delta");
            end.putObject("delta").put("stop_reason", reason("tool_use", "end_turn"));
            events.add(end);
        }
        events.add(Json.object().put("type", "message_stop"));
        if (has(Quirk.UNSTREAMED)) {
            return Buffer.buffer(Json.text(Json.object().set("content", content)));
        }
        addUnknown(events);
        return framed(events, false);
    }

    /** Formats whose arguments are objects have no encoding of their own. */
    private JsonNode wholeInput(Sent call) {
        return has(Quirk.ARGUMENTS_ENCODED_TWICE) ? TextNode.valueOf(Json.text(call.arguments())) : call.arguments();
    }

    Buffer contents(List<Sent> calls) {
        var parts = Json.array();
        if (has(Quirk.THOUGHTS_BEFORE_CALLS)) {
            parts.addObject().put("text", THOUGHTS).put("thought", true);
        }
        if (has(Quirk.TEXT_BEFORE_CALLS)) {
            parts.addObject().put("text", TEXT);
        }
        for (var number = 0; number < calls.size(); number++) {
            var part = parts.addObject();
            var call =
                    part.putObject("functionCall").put("name", calls.get(number).name());
            identify(call, "id", new CallFragment(number, calls.get(number), true, Json.object()));
            call.set("args", wholeInput(calls.get(number)));
            part.put("thoughtSignature", "s" + number);
        }
        var events = new ArrayList<ObjectNode>();
        parts.forEach(part -> {
            if (events.isEmpty() || !has(Quirk.CALLS_IN_ONE_EVENT)) {
                var event = Json.object();
                event.putArray("candidates").addObject().putObject("content").putArray("parts");
                events.add(event);
            }
            ((ArrayNode) events.getLast().at("/candidates/0/content/parts")).add(part);
        });
        if (!has(Quirk.REASON_MISSING)) {
            ((ObjectNode) events.getLast().at("/candidates/0")).put("finishReason", reason("STOP", "OTHER"));
        }
        if (has(Quirk.UNSTREAMED)) {
            var body = Json.object();
            body.putArray("candidates").addObject().putObject("content").set("parts", parts);
            return Buffer.buffer(Json.text(body));
        }
        addUnknown(events);
        return framed(events, has(Quirk.REASON_MISSING));
    }

    Buffer converse(List<Sent> calls) {
        var content = Json.array();
        if (has(Quirk.THOUGHTS_BEFORE_CALLS)) {
            content.addObject()
                    .putObject("reasoningContent")
                    .putObject("reasoningText")
                    .put("text", THOUGHTS)
                    .put("signature", "s");
        }
        if (has(Quirk.TEXT_BEFORE_CALLS)) {
            content.addObject().put("text", TEXT);
        }
        var before = content.size();
        var frames = Buffer.buffer();
        for (var number = 0; number < before; number++) {
            var delta = Json.object();
            number(delta, "contentBlockIndex", number);
            var thoughts = content.get(number).at("/reasoningContent/reasoningText");
            delta.set(
                    "delta",
                    thoughts.isObject() ? Json.object().set("reasoningContent", thoughts) : content.get(number));
            frames.appendBuffer(EventFrameWriter.event("contentBlockDelta", Json.text(delta)));
        }
        for (var piece : pieces(calls)) {
            if (piece.isFirst()) {
                var start = Json.object();
                number(start, "contentBlockIndex", before + piece.number());
                var use = start.putObject("start").putObject("toolUse");
                identify(use, "toolUseId", piece);
                use.put("name", piece.call().name());
                frames.appendBuffer(EventFrameWriter.event("contentBlockStart", Json.text(start)));
                content.addObject().set("toolUse", use.deepCopy().set("input", wholeInput(piece.call())));
            }
            var delta = Json.object();
            number(delta, "contentBlockIndex", before + piece.number());
            delta.putObject("delta").putObject("toolUse").set("input", piece.arguments());
            frames.appendBuffer(EventFrameWriter.event("contentBlockDelta", Json.text(delta)));
        }
        if (has(Quirk.UNKNOWN_EVENTS)) {
            frames.appendBuffer(EventFrameWriter.event("ping", "{}"));
        }
        if (!has(Quirk.REASON_MISSING)) {
            frames.appendBuffer(EventFrameWriter.event(
                    "messageStop", "{\"stopReason\":\"" + reason("tool_use", "end_turn") + "\"}"));
        }
        if (has(Quirk.UNSTREAMED)) {
            var body = Json.object();
            body.putObject("output").putObject("message").set("content", content);
            return Buffer.buffer(Json.text(body));
        }
        return frames.appendBuffer(EventFrameWriter.event("metadata", "{\"usage\":{}}"));
    }

    Buffer responses(List<Sent> calls) {
        var events = new ArrayList<ObjectNode>();
        var output = Json.array();
        if (has(Quirk.THOUGHTS_BEFORE_CALLS)) {
            var item =
                    output.addObject().put("type", "reasoning").put("id", "rs").put("encrypted_content", "e");
            item.putArray("summary").addObject().put("type", "summary_text").put("text", THOUGHTS);
        }
        if (has(Quirk.TEXT_BEFORE_CALLS)) {
            var item = output.addObject().put("type", "message").put("id", "msg");
            item.putArray("content").addObject().put("type", "output_text").put("text", TEXT);
        }
        var before = output.size();
        for (var number = 0; number < before; number++) {
            add(events, "response.output_item.added", number, output.get(number));
            add(events, "response.output_item.done", number, output.get(number));
        }
        for (var piece : pieces(calls)) {
            if (piece.isFirst()) {
                var item = Json.object()
                        .put("type", "function_call")
                        .put("name", piece.call().name());
                identify(item, "call_id", piece);
                identifyItem(item, "id", piece, "added");
                add(events, "response.output_item.added", before + piece.number(), item);
                output.add(item.deepCopy().set("arguments", wholeArguments(piece.call())));
            }
            var delta = Json.object().put("type", "response.function_call_arguments.delta");
            number(delta, "output_index", before + piece.number());
            identifyItem(delta, "item_id", piece, "delta");
            events.add(delta.set("delta", piece.arguments()));
        }
        if (!has(Quirk.REASON_MISSING)) {
            var completed = Json.object().put("type", "response.completed");
            var response = completed.putObject("response");
            response.set("output", has(Quirk.REASON_WRONG) ? Json.array() : output);
            events.add(completed);
        }
        if (has(Quirk.UNSTREAMED)) {
            return Buffer.buffer(Json.text(Json.object().set("output", output)));
        }
        addUnknown(events);
        return framed(events, true);
    }

    private void add(List<ObjectNode> events, String type, int index, JsonNode item) {
        var event = Json.object().put("type", type);
        number(event, "output_index", index);
        events.add(event.set("item", item));
    }

    /** Some servers send another item id in each event, and a correct index. */
    private void identifyItem(ObjectNode event, String name, CallFragment piece, String place) {
        if (has(Quirk.INDEX_MISSING) || has(Quirk.INDEX_REPEATED)) {
            event.put(name, "item_" + piece.number());
        } else if (has(Quirk.IDS_REPEATED)) {
            event.put(name, "item_" + piece.number() + place);
        } else if (!has(Quirk.IDS_MISSING)) {
            event.put(name, "item_" + piece.number());
        }
    }
}
