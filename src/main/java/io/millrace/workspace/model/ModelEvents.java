package io.millrace.workspace.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads server-sent events of a provider: their data, as far as it is JSON. */
final class ModelEvents {
    private static final String DATA = "data:";

    /** A line that is longer is not looked at before its end has come: the whole body is bounded elsewhere. */
    private static final int WAITING_MAX = 1 << 20;

    private final Consumer<JsonNode> heard;
    private Buffer rest = Buffer.buffer();

    /** @param heard told each event */
    ModelEvents(Consumer<JsonNode> heard) {
        this.heard = heard;
    }

    /** The events of a body that has come. */
    static List<JsonNode> of(Buffer body) {
        return body.toString().lines().flatMap(line -> dataOf(line).stream()).toList();
    }

    /** A part of a body that is still coming; a line may be cut anywhere, within a letter too. */
    void hear(Buffer part) {
        rest = rest.length() > WAITING_MAX ? Buffer.buffer() : rest;
        var bytes = part.getBytes();
        var from = 0;
        for (var at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                dataOf(rest.appendBytes(bytes, from, at - from).toString()).ifPresent(heard);
                rest = Buffer.buffer();
                from = at + 1;
            }
        }
        rest.appendBytes(bytes, from, bytes.length - from);
    }

    private static Optional<JsonNode> dataOf(String line) {
        if (!line.startsWith(DATA)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(line.substring(DATA.length()).strip()))
                    .filter(JsonNode::isObject);
        } catch (JsonProcessingException mark) {
            // The last event of some is a word.
            return Optional.empty();
        }
    }
}
