package io.millrace.workspace.model.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * Parses the binary events of Amazon ({@code application/vnd.amazon.eventstream}): a message consists of its length, headers,
 * a payload, and two checksums, of its prelude and of the whole message. An event becomes {@code {<its type>: payload}}, a
 * failure {@code {exception: {type, message}}}.
 */
final class EventFrames {
    static final String MEDIA_TYPE = "application/vnd.amazon.eventstream";
    static final String EXCEPTION = "exception";

    private static final int LENGTH_BYTES = 4;
    private static final int CHECKSUM_BYTES = 4;
    private static final int PRELUDE_BYTES = 2 * LENGTH_BYTES + CHECKSUM_BYTES;

    /** Maximum of Amazon. */
    private static final int FRAME_BYTES_MAX = 24 << 20;

    private static final long UNSIGNED = 0xFFFF_FFFFL;
    private static final int TEXT = 7;

    private final Consumer<JsonNode> receiver;
    private Buffer rest = Buffer.buffer();
    private boolean damaged;

    EventFrames(Consumer<JsonNode> receiver) {
        this.receiver = receiver;
    }

    /** Parses the events of a complete body; fails with IllegalArgumentException when it is damaged or truncated. */
    static List<JsonNode> of(Buffer body) {
        var events = new ArrayList<JsonNode>();
        if (read(body, events::add) < body.length()) {
            throw new IllegalArgumentException("the stream ended before the answer was complete");
        }
        return events;
    }

    /**
     * Parses the next part of a body. After damage no further events are emitted; {@link #of} reports the damage for the
     * complete body.
     */
    void accept(Buffer part) {
        if (damaged) {
            return;
        }
        rest.appendBuffer(part);
        try {
            var read = read(rest, receiver);
            rest = read == 0 ? rest : rest.getBuffer(read, rest.length());
        } catch (IllegalArgumentException known) {
            damaged = true;
            rest = Buffer.buffer();
        }
    }

    /** Number of bytes of the complete messages. */
    private static int read(Buffer bytes, Consumer<JsonNode> receiver) {
        var from = 0;
        while (bytes.length() - from >= PRELUDE_BYTES) {
            var length = lengthAt(bytes, from);
            if (bytes.length() - from < length) {
                break;
            }
            receiver.accept(message(bytes, from, length));
            from += length;
        }
        return from;
    }

    private static int lengthAt(Buffer bytes, int from) {
        var checked = PRELUDE_BYTES - CHECKSUM_BYTES;
        if (checksum(bytes, from, checked) != bytes.getUnsignedInt(from + checked)) {
            throw unreadable();
        }
        var length = bytes.getUnsignedInt(from);
        if (length < PRELUDE_BYTES + CHECKSUM_BYTES + bytes.getUnsignedInt(from + LENGTH_BYTES)
                || length > FRAME_BYTES_MAX) {
            throw unreadable();
        }
        return (int) length;
    }

    private static long checksum(Buffer bytes, int from, int length) {
        var checksum = new CRC32();
        checksum.update(bytes.getBytes(from, from + length));
        return checksum.getValue() & UNSIGNED;
    }

    private static JsonNode message(Buffer bytes, int from, int length) {
        var end = from + length - CHECKSUM_BYTES;
        if (checksum(bytes, from, length - CHECKSUM_BYTES) != bytes.getUnsignedInt(end)) {
            throw unreadable();
        }
        var headersEnd = from + PRELUDE_BYTES + (int) bytes.getUnsignedInt(from + LENGTH_BYTES);
        var headers = headers(bytes.getBytes(from + PRELUDE_BYTES, headersEnd));
        var payload = bytes.getString(headersEnd, end);
        var type = headers.getOrDefault(":message-type", "event");
        var event = Json.object();
        switch (type) {
            case EXCEPTION ->
                event.putObject(EXCEPTION)
                        .put("type", headers.getOrDefault(":exception-type", ""))
                        .put("message", parsed(payload).path("message").asText(""));
            case "error" ->
                event.putObject(EXCEPTION)
                        .put("type", headers.getOrDefault(":error-code", ""))
                        .put("message", headers.getOrDefault(":error-message", ""));
            default -> event.set(headers.getOrDefault(":event-type", ""), parsed(payload));
        }
        return event;
    }

    private static JsonNode parsed(String payload) {
        try {
            return payload.isEmpty() ? Json.object() : Json.parse(payload);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("an event of the stream is not JSON", malformed);
        }
    }

    /** Headers of type text; others are skipped by their lengths. */
    private static Map<String, String> headers(byte[] bytes) {
        var headers = new HashMap<String, String>();
        var reader = Buffer.buffer(bytes);
        try {
            var at = 0;
            while (at < bytes.length) {
                var nameEnd = at + 1 + reader.getUnsignedByte(at);
                var name = reader.getString(at + 1, nameEnd);
                var type = reader.getUnsignedByte(nameEnd);
                var value = nameEnd + 1;
                if (type == TEXT) {
                    headers.put(name, textAt(reader, value));
                }
                at = value + lengthOf(type, reader, value);
            }
        } catch (IndexOutOfBoundsException cut) {
            throw new IllegalArgumentException("a message of the stream is damaged", cut);
        }
        return headers;
    }

    private static String textAt(Buffer reader, int at) {
        return reader.getString(
                at + Short.BYTES, at + Short.BYTES + reader.getUnsignedShort(at), StandardCharsets.UTF_8.name());
    }

    private static int lengthOf(int type, Buffer reader, int at) {
        return switch (type) {
            case 0, 1 -> 0;
            case 2 -> Byte.BYTES;
            case 3 -> Short.BYTES;
            case 4 -> Integer.BYTES;
            case 5, 8 -> Long.BYTES;
            case 6, TEXT -> Short.BYTES + reader.getUnsignedShort(at);
            case 9 -> 2 * Long.BYTES;
            default -> throw unreadable();
        };
    }

    private static IllegalArgumentException unreadable() {
        return new IllegalArgumentException("a message of the stream is damaged");
    }
}
