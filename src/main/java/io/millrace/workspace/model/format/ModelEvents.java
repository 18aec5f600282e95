package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads server-sent events of a provider. Lines end by LF, CR or CRLF; comments and empty lines are ignored. An event whose JSON
 * covers several {@code data} lines is joined, and an event without the empty line that should follow it is accepted.
 */
final class ModelEvents {
    /** Represents {@code [DONE]}, by which most providers end a stream. */
    static final ObjectNode DONE = Json.object().put("object", "stream.done");

    private static final String DATA = "data:";
    private static final String DONE_WORD = "[DONE]";
    private static final String BYTE_ORDER_MARK = "\ufeff";

    /** Longest line that is read while the body is still coming; the whole body is bounded by its reader. */
    private static final int WAITING_MAX = 1 << 20;

    private static final int LINES_MAX = 200;

    private final Consumer<JsonNode> consumer;
    private final StringBuilder open = new StringBuilder();
    private Buffer rest = Buffer.buffer();
    private int lines;
    private boolean isAfterReturn;

    ModelEvents(Consumer<JsonNode> consumer) {
        this.consumer = consumer;
    }

    /** Returns the events of a whole body; fails with IllegalArgumentException when one of them is not JSON. */
    static List<JsonNode> of(Buffer body) {
        var events = new ArrayList<JsonNode>();
        var reader = new ModelEvents(events::add);
        body.toString(StandardCharsets.UTF_8).lines().forEach(reader::line);
        // A truncated last event is detected by the missing end of the answer.
        return events;
    }

    static boolean isStream(Buffer body) {
        var start = body.getString(0, Math.min(body.length(), 64)).stripLeading();
        return start.startsWith(DATA) || start.startsWith("event:") || start.startsWith(":");
    }

    /** Parses the next part of a body; parts may split a line or a character. */
    void accept(Buffer part) {
        rest = rest.length() > WAITING_MAX ? Buffer.buffer() : rest;
        var bytes = part.getBytes();
        var from = 0;
        for (var at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n' || bytes[at] == '\r') {
                if (bytes[at] == '\r' || !isAfterReturn) {
                    partialLine(rest.appendBytes(bytes, from, at - from).toString());
                    rest = Buffer.buffer();
                }
                from = at + 1;
            }
            isAfterReturn = bytes[at] == '\r';
        }
        rest.appendBytes(bytes, from, bytes.length - from);
    }

    /** A damaged event is reported by the reader of the whole body. */
    private void partialLine(String line) {
        try {
            line(line);
        } catch (IllegalArgumentException damaged) {
            open.setLength(0);
            lines = 0;
        }
    }

    private void line(String given) {
        var line = given.startsWith(BYTE_ORDER_MARK) ? given.substring(BYTE_ORDER_MARK.length()) : given;
        if (line.isEmpty()) {
            if (!open.isEmpty()) {
                throw damaged();
            }
            return;
        }
        if (!line.startsWith(DATA)) {
            return;
        }
        var data = line.substring(DATA.length()).strip();
        // Some proxies frame an event that is framed already.
        while (data.startsWith(DATA)) {
            data = data.substring(DATA.length()).strip();
        }
        if (open.isEmpty() && data.equals(DONE_WORD)) {
            consumer.accept(DONE);
        } else if (!open.isEmpty() || data.startsWith("{")) {
            join(data);
        }
    }

    private void join(String data) {
        open.append(data);
        lines++;
        if (lines > LINES_MAX || lines > 1 && open.length() > WAITING_MAX) {
            throw damaged();
        }
        if (data.endsWith("}")) {
            parsed(open.toString()).ifPresent(event -> {
                open.setLength(0);
                lines = 0;
                consumer.accept(event);
            });
        }
        if (!open.isEmpty()) {
            open.append('\n');
        }
    }

    private static Optional<JsonNode> parsed(String data) {
        try {
            return Optional.of(Json.parse(data)).filter(JsonNode::isObject);
        } catch (JsonProcessingException partial) {
            return Optional.empty();
        }
    }

    private static IllegalArgumentException damaged() {
        return new IllegalArgumentException("an event of the stream is not JSON");
    }
}
