package io.millrace.core;

/**
 * About how much memory the tree of a JSON text takes, found by one look at its bytes and without making it. A text of
 * nothing but empty objects takes thirty times its length, one long string hardly more than its own: a factor that
 * holds for both would be useless for both.
 */
public final class JsonWeight {
    private static final int OBJECT_BYTES = 128;
    private static final int ARRAY_BYTES = 80;
    private static final int STRING_BYTES = 56;

    /** Beside its name, which is counted as a string and mostly shared with others. */
    private static final int FIELD_BYTES = 8;

    private static final int ELEMENT_BYTES = 32;

    private JsonWeight() {}

    /** Bytes of the tree, its strings included; of a text that is no JSON, some number. */
    public static long of(byte[] text) {
        var bytes = (long) text.length;
        var inString = false;
        for (var at = 0; at < text.length; at++) {
            var character = text[at];
            if (inString) {
                if (character == '\\') {
                    at++;
                } else if (character == '"') {
                    inString = false;
                }
                continue;
            }
            switch (character) {
                case '"' -> {
                    inString = true;
                    bytes += STRING_BYTES;
                }
                case '{' -> bytes += OBJECT_BYTES;
                case '[' -> bytes += ARRAY_BYTES;
                case ':' -> bytes += FIELD_BYTES;
                case ',' -> bytes += ELEMENT_BYTES;
                default -> {
                    // Part of a number or a word, or white space: paid for with the mark beside it.
                }
            }
        }
        return bytes;
    }
}
