package io.millrace.integration.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One message of Engine.IO 4 with a message of Socket.IO 5 inside, as text: a type digit for each, a namespace unless it is the
 * default, the acknowledgement number, and JSON.
 *
 * @param namespace empty for the default namespace
 * @param ack acknowledgement number; empty for none
 */
record Packet(Kind kind, String namespace, String ack, JsonNode data) {
    private static final Pattern FORM = Pattern.compile("(?:(/[^,]{0,200}),)?([0-9]{0,15})");

    /** More than there may be before the JSON. */
    private static final int HEAD_BYTES_MAX = 256;

    enum Kind {
        CLOSE,
        PONG,
        CONNECT,
        DISCONNECT,
        EVENT
    }

    /** Parses a message of a client; empty for invalid messages, and for those that a client must not send. */
    static Optional<Packet> read(byte[] text) {
        if (text.length == 1) {
            return switch (text[0]) {
                case '1' -> Optional.of(bare(Kind.CLOSE));
                case '3' -> Optional.of(bare(Kind.PONG));
                default -> Optional.empty();
            };
        }
        if (text.length == 0 || text[0] != '4') {
            return Optional.empty();
        }
        return switch (text[1]) {
            case '0' -> inside(Kind.CONNECT, text);
            case '1' -> inside(Kind.DISCONNECT, text);
            case '2' -> inside(Kind.EVENT, text).filter(Packet::namesAnEvent);
            default -> Optional.empty();
        };
    }

    private static Packet bare(Kind kind) {
        return new Packet(kind, "", "", Json.object());
    }

    private static Optional<Packet> inside(Kind kind, byte[] text) {
        // In this encoding a character index in the head equals the byte index.
        var head = new String(text, 2, Math.min(text.length - 2, HEAD_BYTES_MAX), StandardCharsets.ISO_8859_1);
        var parts = FORM.matcher(head);
        if (!parts.lookingAt()) {
            return Optional.empty();
        }
        var named = parts.group(1) == null ? "" : parts.group(1);
        var namespace = new String(named.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        var from = 2 + parts.end();
        try {
            var data = from == text.length ? Json.object() : Json.parse(text, from);
            return Optional.of(new Packet(kind, namespace.equals("/") ? "" : namespace, parts.group(2), data));
        } catch (JsonProcessingException malformed) {
            return Optional.empty();
        }
    }

    private boolean namesAnEvent() {
        return data.isArray() && data.path(0).isTextual();
    }

    String event() {
        return data.path(0).asText();
    }

    JsonNode payload() {
        return data.path(1);
    }

    static String close() {
        return "1";
    }

    /**
     * Opening packet of the server.
     *
     * @param upgrades transports to which the client may upgrade
     */
    static String open(String id, List<String> upgrades, long pingIntervalMs, long pingTimeoutMs, long bytesMax) {
        var greeting = Json.object().put("sid", id);
        var offered = greeting.putArray("upgrades");
        upgrades.forEach(offered::add);
        return "0"
                + Json.text(greeting.put("pingInterval", pingIntervalMs)
                        .put("pingTimeout", pingTimeoutMs)
                        .put("maxPayload", bytesMax));
    }

    static String ping() {
        return "2";
    }

    /** No-op packet, which ends a waiting poll. */
    static String noop() {
        return "6";
    }

    static String connected(String id) {
        return "40" + Json.text(Json.object().put("sid", id));
    }

    static String refused(String namespace, String message, JsonNode reason) {
        var body = Json.object().put("message", message);
        body.set("data", reason);
        return "44" + (namespace.isEmpty() ? "" : namespace + ",") + Json.text(body);
    }

    static String disconnected() {
        return "41";
    }

    static String event(String name, JsonNode payload) {
        var words = Json.array().add(name);
        if (!payload.isMissingNode()) {
            words.add(payload);
        }
        return "42" + text(words);
    }

    static String acknowledged(String ack, JsonNode answer) {
        return "43" + ack + text(Json.array().add(answer));
    }

    /** Serializes a value; outputs of steps may be deeply nested. */
    private static String text(JsonNode value) {
        return new String(DeepJson.bytes(value), StandardCharsets.UTF_8);
    }
}
