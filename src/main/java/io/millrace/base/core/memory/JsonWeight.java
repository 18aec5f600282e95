package io.millrace.base.core.memory;

import java.io.IOException;
import java.io.InputStream;

/**
 * Estimate of the memory of the tree of a JSON text, from one pass over its bytes and without building it. A text of empty
 * objects takes thirty times its length, one long string hardly more than its length: one factor for both would be useless.
 */
public final class JsonWeight {
    private static final int OBJECT_BYTES = 128;
    private static final int ARRAY_BYTES = 80;
    private static final int STRING_BYTES = 56;

    /** In addition to its name, which is counted as a string and mostly shared with others. */
    private static final int FIELD_BYTES = 8;

    private static final int ELEMENT_BYTES = 32;
    private static final int READ_BYTES = 64 * 1024;

    private long bytes;
    private boolean inString;
    private boolean escaped;

    private JsonWeight() {}

    /** Bytes of the tree including its strings; an arbitrary number for text that is not JSON. */
    public static long of(byte[] text) {
        var weight = new JsonWeight();
        weight.add(text, text.length);
        return weight.bytes;
    }

    public static long of(InputStream text) throws IOException {
        var weight = new JsonWeight();
        var part = new byte[READ_BYTES];
        for (var length = text.read(part); length >= 0; length = text.read(part)) {
            weight.add(part, length);
        }
        return weight.bytes;
    }

    private void add(byte[] text, int length) {
        bytes += length;
        for (var at = 0; at < length; at++) {
            var character = text[at];
            if (escaped) {
                escaped = false;
            } else if (inString) {
                escaped = character == '\\';
                inString = character != '"';
            } else {
                bytes += mark(character);
            }
        }
    }

    private int mark(byte character) {
        return switch (character) {
            case '"' -> {
                inString = true;
                yield STRING_BYTES;
            }
            case '{' -> OBJECT_BYTES;
            case '[' -> ARRAY_BYTES;
            case ':' -> FIELD_BYTES;
            case ',' -> ELEMENT_BYTES;
            // Part of a number or a word, or white space: counted with the adjacent mark.
            default -> 0;
        };
    }
}
