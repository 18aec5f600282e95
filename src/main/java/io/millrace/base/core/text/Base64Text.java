package io.millrace.base.core.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Base64 in the spellings of senders: with white space, without padding, in the alphabet of URLs, percent-encoded. Any other
 * character is refused: the decoder of the library skips it, and returns other bytes than were meant. Pure.
 */
public final class Base64Text {
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private Base64Text() {}

    /**
     * Decodes a text.
     *
     * @throws IllegalArgumentException when it is not Base64
     */
    public static byte[] decoded(String text) {
        var plain = text.indexOf('%') < 0 ? text : PercentText.decoded(text, StandardCharsets.US_ASCII);
        var digits = new byte[plain.length()];
        var count = 0;
        for (var at = 0; at < plain.length(); at++) {
            var digit = plain.charAt(at);
            if (digit > Byte.MAX_VALUE) {
                throw new IllegalArgumentException("no Base64");
            }
            if (!isSpace(digit)) {
                digits[count++] = (byte) (digit == '-' ? '+' : digit == '_' ? '/' : digit);
            }
        }
        return Base64.getDecoder().decode(count == digits.length ? digits : Arrays.copyOf(digits, count));
    }

    /**
     * Decodes the text of a named field.
     *
     * @throws IllegalArgumentException names the field when its text is not Base64
     */
    public static byte[] decoded(String field, String text) {
        try {
            return decoded(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("expected Base64 in " + field + ", found other text", malformed);
        }
    }

    /** Decodes bytes, which are the characters of a text. */
    public static byte[] decoded(byte[] text) {
        return decoded(new String(text, BYTES));
    }

    private static boolean isSpace(char character) {
        return character == ' ' || character >= '\t' && character <= '\r';
    }
}
