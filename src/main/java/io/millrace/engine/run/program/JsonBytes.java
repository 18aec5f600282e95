package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON text as UTF-8 in one array that is used again, in the form of {@link Json#bytes}. A value that the fast writer of
 * {@link Json} refuses, or a text above the limit, makes the text incomplete. Not thread-safe.
 */
final class JsonBytes {
    /** Records add levels to the values of a caller, and the slow writer handles any depth. */
    private static final int DEPTH_MAX = 100;

    private static final int BYTES_FIRST = 4 * 1024;

    /** Longest form of a character: an escape of six bytes. */
    private static final int CHAR_BYTES_MAX = 6;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /** Second character of the escapes of two characters; 1 where the escape has six; 0 for characters without one. */
    private static final byte[] ESCAPES = new byte[0x80];

    static {
        Arrays.fill(ESCAPES, 0, 0x20, (byte) 1);
        ESCAPES['\b'] = 'b';
        ESCAPES['\t'] = 't';
        ESCAPES['\n'] = 'n';
        ESCAPES['\f'] = 'f';
        ESCAPES['\r'] = 'r';
        ESCAPES['"'] = '"';
        ESCAPES['\\'] = '\\';
    }

    private final int bytesMax;
    private byte[] bytes = new byte[BYTES_FIRST];
    private int length;
    private boolean incomplete;

    JsonBytes(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    void clear() {
        length = 0;
        incomplete = false;
    }

    boolean isIncomplete() {
        return incomplete;
    }

    int length() {
        return length;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** Appends text that is JSON already. */
    void raw(byte[] fragment) {
        raw(fragment, 0);
    }

    void raw(byte[] fragment, int from) {
        var count = fragment.length - from;
        if (hasRoom(count)) {
            System.arraycopy(fragment, from, bytes, length, count);
            length += count;
        }
    }

    void raw(char ascii) {
        if (hasRoom(1)) {
            bytes[length++] = (byte) ascii;
        }
    }

    void value(JsonNode value) {
        value(value, 0);
    }

    private void value(JsonNode value, int depth) {
        if (incomplete || depth > DEPTH_MAX) {
            incomplete = true;
            return;
        }
        switch (value) {
            case ObjectNode object -> object(object, depth);
            case ArrayNode array -> array(array, depth);
            case IntNode number -> number(number.longValue());
            case LongNode number -> number(number.longValue());
            case DoubleNode number
            when Double.isFinite(number.doubleValue()) && number.getClass() == DoubleNode.class ->
                ascii(Double.toString(number.doubleValue()));
            default -> {
                if (value.isTextual()) {
                    text(value.textValue());
                } else {
                    other(value);
                }
            }
        }
    }

    private void object(ObjectNode object, int depth) {
        raw('{');
        var first = true;
        for (var field : object.properties()) {
            if (!first) {
                raw(',');
            }
            first = false;
            text(field.getKey());
            raw(':');
            value(field.getValue(), depth + 1);
        }
        raw('}');
    }

    private void array(ArrayNode array, int depth) {
        raw('[');
        for (var index = 0; index < array.size(); index++) {
            if (index > 0) {
                raw(',');
            }
            value(array.get(index), depth + 1);
        }
        raw(']');
    }

    private void other(JsonNode value) {
        try {
            raw(Json.bytes(value));
        } catch (IllegalStateException unusual) {
            incomplete = true;
        }
    }

    void number(long number) {
        if (number >= 0 && number < 10) {
            raw((char) ('0' + number));
        } else {
            ascii(Long.toString(number));
        }
    }

    private void ascii(String text) {
        if (hasRoom(text.length())) {
            for (var index = 0; index < text.length(); index++) {
                bytes[length++] = (byte) text.charAt(index);
            }
        }
    }

    private void text(String text) {
        var chars = text.length();
        if (chars > bytesMax || !hasRoom(2 + CHAR_BYTES_MAX * chars)) {
            incomplete = true;
            return;
        }
        var into = bytes;
        var at = length;
        into[at++] = '"';
        for (var index = 0; index < chars; index++) {
            var c = text.charAt(index);
            if (c < 0x80) {
                var escape = ESCAPES[c];
                if (escape == 0) {
                    into[at++] = (byte) c;
                } else {
                    at = escaped(into, at, c, escape);
                }
            } else if (c < 0x800) {
                into[at++] = (byte) (0xC0 | c >> 6);
                into[at++] = (byte) (0x80 | c & 0x3F);
            } else if (!Character.isSurrogate(c)) {
                into[at++] = (byte) (0xE0 | c >> 12);
                into[at++] = (byte) (0x80 | c >> 6 & 0x3F);
                into[at++] = (byte) (0x80 | c & 0x3F);
            } else if (index + 1 < chars && Character.isSurrogatePair(c, text.charAt(index + 1))) {
                var point = Character.toCodePoint(c, text.charAt(++index));
                into[at++] = (byte) (0xF0 | point >> 18);
                into[at++] = (byte) (0x80 | point >> 12 & 0x3F);
                into[at++] = (byte) (0x80 | point >> 6 & 0x3F);
                into[at++] = (byte) (0x80 | point & 0x3F);
            } else {
                incomplete = true;
                return;
            }
        }
        into[at++] = '"';
        length = at;
    }

    private static int escaped(byte[] into, int from, char c, byte escape) {
        var at = from;
        into[at++] = '\\';
        if (escape != 1) {
            into[at++] = escape;
            return at;
        }
        into[at++] = 'u';
        into[at++] = '0';
        into[at++] = '0';
        into[at++] = HEX[c >> 4];
        into[at++] = HEX[c & 0xF];
        return at;
    }

    /** Makes room; none beyond the limit, and a text is measured at its longest form. */
    private boolean hasRoom(int more) {
        if (incomplete || length > bytesMax) {
            incomplete = true;
            return false;
        }
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
        return true;
    }
}
