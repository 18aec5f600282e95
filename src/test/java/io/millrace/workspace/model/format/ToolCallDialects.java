package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Servers that send the same calls in dialects chosen by a seed: one method for each wire format. */
final class ToolCallDialects {
    private static final String[] ENDS = {"\n\n", "\r\n\r\n", "\r\r", "\n"};
    private static final String[] REASONS = {"stop", "tool_calls", "function_call", "eos"};

    private final Random random;

    ToolCallDialects(long seed) {
        this.random = new Random(seed);
    }

    /** A sent call. */
    record Sent(String name, ObjectNode arguments) {}

    /** One to four calls; some have no arguments, some the same name. */
    List<Sent> calls() {
        var calls = new ArrayList<Sent>();
        for (var count = 1 + random.nextInt(4); count > 0; count--) {
            var arguments = Json.object();
            for (var fields = random.nextInt(4); fields > 0; fields--) {
                arguments.put("k" + random.nextInt(5), random.nextBoolean() ? "a \"{}\\ é\n" + fields : "{\"x\":1}");
            }
            if (random.nextInt(3) == 0) {
                arguments
                        .putObject("nested")
                        .putArray("list")
                        .add(1)
                        .addObject()
                        .put("deep", random.nextInt());
            }
            calls.add(new Sent("tool_" + random.nextInt(3), arguments));
        }
        return calls;
    }

    private boolean chance() {
        return random.nextBoolean();
    }

    private List<String> pieces(String text) {
        var pieces = new ArrayList<String>();
        for (var from = 0; from < text.length(); ) {
            var to = Math.min(text.length(), from + 1 + random.nextInt(12));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }

    private Buffer events(List<? extends JsonNode> events, boolean done) {
        var end = ENDS[random.nextInt(ENDS.length)];
        var comment = chance();
        var body = new StringBuilder();
        for (var event : events) {
            body.append(comment ? ": processing" + end : "")
                    .append(chance() ? "data: " : "data:")
                    .append(Json.text(event))
                    .append(end);
        }
        return Buffer.buffer(body.append(done ? "data: [DONE]" + end : "").toString());
    }

    /** Chat completions: each choice below is made by some server, and the combination identifies every call. */
    Buffer completions(List<Sent> calls) {
        var sendsIds = chance();
        var ids = sendsIds ? random.nextInt(3) : -1;
        // Without ids and indexes only the name and complete arguments separate calls.
        var index = random.nextInt(sendsIds ? 4 : 3);
        var isWhole = chance();
        var asObject = isWhole && chance();
        var repeatsName = chance();
        var inOneChunk = isWhole && chance();
        var word = chance() ? "delta" : "message";
        var chunks = new ArrayList<ObjectNode>();
        var together = Json.array();
        for (var number = 0; number < calls.size(); number++) {
            var sent = calls.get(number);
            var text = Json.text(sent.arguments());
            var parts = isWhole ? List.of(text) : pieces(text);
            for (var part = 0; part < parts.size(); part++) {
                var piece = Json.object();
                switch (index) {
                    case 0 -> piece.put("index", number + 1);
                    case 1 -> piece.put("index", String.valueOf(number));
                    case 2 -> piece.put("index", 0);
                    default -> {
                        // No index.
                    }
                }
                if (ids == 0 && part == 0 || ids == 1) {
                    piece.put("id", "c" + number);
                } else if (ids == 2) {
                    piece.put("id", part == 0 ? "c" + number : "");
                }
                var function = piece.putObject("function");
                if (part == 0 || repeatsName) {
                    function.put("name", sent.name());
                }
                if (asObject) {
                    function.set("arguments", sent.arguments());
                } else {
                    function.put("arguments", parts.get(part));
                }
                if (inOneChunk) {
                    together.add(piece);
                } else {
                    chunks.add(chunk(
                            word, Json.object().set("tool_calls", Json.array().add(piece))));
                }
            }
        }
        if (inOneChunk) {
            chunks.add(chunk(word, Json.object().set("tool_calls", together)));
        }
        if (chance()) {
            chunks.add(Json.object().putNull("usage").set("choices", Json.array()));
        }
        var hasReason = chance();
        if (hasReason) {
            chunks.add(chunk("delta", Json.object()));
            ((ObjectNode) chunks.getLast().at("/choices/0"))
                    .put("finish_reason", REASONS[random.nextInt(REASONS.length)]);
        }
        return events(chunks, !hasReason || chance());
    }

    private static ObjectNode chunk(String word, JsonNode delta) {
        var chunk = Json.object();
        chunk.putArray("choices").addObject().set(word, delta);
        return chunk;
    }

    /** Index of a block: correct, a text, the same for all, or missing. */
    private void number(ObjectNode event, String name, int way, int number) {
        switch (way) {
            case 0 -> event.put(name, number);
            case 1 -> event.put(name, String.valueOf(number + 1));
            case 2 -> event.put(name, 0);
            default -> {
                // No index.
            }
        }
    }

    /** Messages of Anthropic. */
    Buffer messages(List<Sent> calls) {
        var way = random.nextInt(4);
        var atOnce = chance();
        var asObject = chance();
        var events = new ArrayList<ObjectNode>();
        for (var number = 0; number < calls.size(); number++) {
            var sent = calls.get(number);
            var start = Json.object().put("type", "content_block_start");
            number(start, "index", way, number);
            var block = start.putObject("content_block").put("type", "tool_use").put("name", sent.name());
            if (chance()) {
                block.put("id", "c" + number);
            }
            block.set("input", atOnce ? sent.arguments() : Json.object());
            events.add(start);
            var parts = atOnce ? List.<String>of() : pieces(Json.text(sent.arguments()));
            for (var part : asObject && !atOnce ? List.of("") : parts) {
                var event = Json.object().put("type", "content_block_delta");
                number(event, "index", way, number);
                var delta = event.putObject("delta").put("type", "input_json_delta");
                if (asObject) {
                    delta.set("partial_json", sent.arguments());
                } else {
                    delta.put("partial_json", part);
                }
                events.add(event);
            }
        }
        var end = Json.object().put("type", "message_delta");
        end.putObject("delta").put("stop_reason", chance() ? "tool_use" : "end_turn");
        events.add(end);
        if (chance()) {
            events.add(Json.object().put("type", "message_stop"));
        }
        return events(events, chance());
    }

    /** Contents of Gemini. */
    Buffer contents(List<Sent> calls) {
        var asText = chance();
        var inOneChunk = chance();
        var events = new ArrayList<ObjectNode>();
        for (var number = 0; number < calls.size(); number++) {
            var sent = calls.get(number);
            var part = Json.object();
            var call = part.putObject("functionCall").put("name", sent.name());
            if (asText) {
                call.put("args", Json.text(sent.arguments()));
            } else if (!sent.arguments().isEmpty() || chance()) {
                call.set("args", sent.arguments());
            }
            if (events.isEmpty() || !inOneChunk) {
                var event = Json.object();
                event.putArray("candidates").addObject().putObject("content").putArray("parts");
                events.add(event);
            }
            ((com.fasterxml.jackson.databind.node.ArrayNode) events.getLast().at("/candidates/0/content/parts"))
                    .add(part);
        }
        var hasReason = chance();
        if (hasReason) {
            ((ObjectNode) events.getLast().at("/candidates/0")).put("finishReason", chance() ? "STOP" : "OTHER");
        }
        return events(events, !hasReason);
    }

    /** Converse of Bedrock, in binary frames. */
    Buffer converse(List<Sent> calls) {
        var way = random.nextInt(4);
        var atOnce = chance();
        var asObject = chance();
        var frames = Buffer.buffer();
        for (var number = 0; number < calls.size(); number++) {
            var sent = calls.get(number);
            var start = Json.object();
            number(start, "contentBlockIndex", way, number);
            var use = start.putObject("start")
                    .putObject("toolUse")
                    .put("toolUseId", "c" + number)
                    .put("name", sent.name());
            if (atOnce) {
                use.set("input", sent.arguments());
            }
            frames.appendBuffer(EventFrameWriter.event("contentBlockStart", Json.text(start)));
            var parts = atOnce ? List.<String>of() : pieces(Json.text(sent.arguments()));
            for (var part : asObject && !atOnce ? List.of("") : parts) {
                var event = Json.object();
                number(event, "contentBlockIndex", way, number);
                var delta = event.putObject("delta").putObject("toolUse");
                if (asObject) {
                    delta.set("input", sent.arguments());
                } else {
                    delta.put("input", part);
                }
                frames.appendBuffer(EventFrameWriter.event("contentBlockDelta", Json.text(event)));
            }
        }
        return frames.appendBuffer(EventFrameWriter.event(
                "messageStop", chance() ? "{\"stopReason\":\"tool_use\"}" : "{\"stopReason\":\"end_turn\"}"));
    }

    /** The responses API: the last event has everything, nothing, or calls without arguments. */
    Buffer responses(List<Sent> calls) {
        var asObject = chance();
        var last = random.nextInt(4);
        var events = new ArrayList<ObjectNode>();
        var output = Json.array();
        for (var number = 0; number < calls.size(); number++) {
            var sent = calls.get(number);
            var item = Json.object()
                    .put("type", "function_call")
                    .put("id", "i" + number)
                    .put("name", sent.name());
            if (chance()) {
                item.put("call_id", "c" + number);
            }
            events.add(Json.object()
                    .put("type", "response.output_item.added")
                    .put("output_index", number)
                    .set("item", item.deepCopy().put("arguments", "")));
            if (asObject) {
                item.set("arguments", sent.arguments());
            } else {
                var id = item.path("id").asText();
                pieces(Json.text(sent.arguments()))
                        .forEach(part -> events.add(Json.object()
                                .put("type", "response.function_call_arguments.delta")
                                .put("item_id", id)
                                .put("delta", part)));
                if (last == 0 || chance()) {
                    item.put("arguments", Json.text(sent.arguments()));
                }
            }
            events.add(Json.object().put("type", "response.output_item.done").set("item", item));
            output.add(last == 1 ? item.deepCopy().put("arguments", "") : item);
        }
        if (last == 3) {
            return events(events, true);
        }
        var completed = Json.object().put("type", "response.completed");
        completed.putObject("response").set("output", last == 2 ? Json.array() : output);
        events.add(completed);
        return events(events, chance());
    }
}
