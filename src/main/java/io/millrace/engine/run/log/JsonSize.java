package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.Arrays;

/** Size of a value as JSON text in UTF-8 in bytes, without serialization (contract flows-and-engine 15.1). */
public final class JsonSize {
    /** Additional bytes of an ASCII character in its escaped form. */
    private static final byte[] MORE_BYTES = new byte[0x80];

    /** Upper bound of the additional bytes of any character. */
    private static final long MORE_BYTES_MAX = 5;

    static {
        Arrays.fill(MORE_BYTES, 0, 0x20, (byte) MORE_BYTES_MAX);
        for (var escaped : "\n\r\t\b\f\"\\".toCharArray()) {
            MORE_BYTES[escaped] = 1;
        }
    }

    /** The longest double as text: -2.2250738585072014E-308. */
    private static final long DOUBLE_BYTES_MAX = 24;

    private JsonSize() {}

    /** Size of a value; 0 for "no value". */
    public static long of(JsonNode value) {
        if (value == null) {
            return 0;
        }
        return switch (value.getNodeType()) {
            case MISSING -> 0;
            case NULL -> 4;
            case BOOLEAN -> value.booleanValue() ? 4 : 5;
            case NUMBER ->
                value.isInt() || value.isLong()
                        ? ofWhole(value.longValue())
                        : value.asText().length();
            case BINARY, POJO -> Json.bytes(value).length;
            case STRING -> ofText(value.textValue());
            case ARRAY -> {
                var size = 2L;
                for (var item : value) {
                    size += of(item) + 1;
                }
                yield size;
            }
            case OBJECT -> {
                var size = 2L;
                for (var field : value.properties()) {
                    size += ofText(field.getKey()) + 1 + of(field.getValue()) + 1;
                }
                yield size;
            }
        };
    }

    /**
     * Returns whether a value takes at most that many bytes. The number of characters decides for most values; the
     * others are measured.
     */
    public static boolean isAtMost(JsonNode value, long bytes) {
        return bound(value) <= bytes || of(value) <= bytes;
    }

    /** Upper bound of the size of a value: all characters at their longest form. */
    private static long bound(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> boundOfText(value.textValue());
            case ARRAY -> {
                var size = 2L;
                for (var item : value) {
                    size += bound(item) + 1;
                }
                yield size;
            }
            case OBJECT -> {
                var size = 2L;
                for (var field : value.properties()) {
                    size += boundOfText(field.getKey()) + bound(field.getValue()) + 2;
                }
                yield size;
            }
            case NUMBER -> value.isDouble() ? DOUBLE_BYTES_MAX : of(value);
            default -> of(value);
        };
    }

    private static long boundOfText(String text) {
        return 2 + (1 + MORE_BYTES_MAX) * text.length();
    }

    /** Size of a text with its quotes and escapes in bytes. */
    public static long ofText(String text) {
        var size = 2L + text.length();
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c < MORE_BYTES.length) {
                size += MORE_BYTES[c];
            } else if (c >= 0x800) {
                // A surrogate pair is two chars and four bytes; any other char here is three bytes.
                size += Character.isSurrogate(c) ? 1 : 2;
            } else {
                size++;
            }
        }
        return size;
    }

    private static long ofWhole(long number) {
        var size = number < 0 ? 2L : 1L;
        for (var left = number / 10; left != 0; left /= 10) {
            size++;
        }
        return size;
    }
}
