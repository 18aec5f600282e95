package io.millrace.base.core.text;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Repairs queries and URL-encoded forms with invalid percent signs. A sign that is not followed by two hexadecimal digits,
 * and a sequence of encoded bytes that is not valid in the charset, are literal text: they are encoded once more, so that a
 * decoder returns them as they were sent. Pure.
 */
public final class PercentText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final int ASCII_MAX = 0x7f;
    private static final int BYTE_MAX = 0xff;

    private PercentText() {}

    /** The form in a spelling that every decoder reads without loss; the same object when it is so already. */
    public static String form(String text, Charset charset) {
        if (text.indexOf('%') < 0 && text.indexOf('#') < 0) {
            return text;
        }
        var form = new StringBuilder(text.length() + 16);
        for (var at = 0; at < text.length(); ) {
            var end = runEnd(text, at);
            if (end > at) {
                appendRun(form, text, at, end, charset);
                at = end;
                continue;
            }
            var character = text.charAt(at++);
            switch (character) {
                case '%' -> form.append("%25");
                // Decoders take it for the beginning of a fragment, and drop the rest.
                case '#' -> form.append("%23");
                default -> form.append(character);
            }
        }
        return form.toString();
    }

    /** True if a decoder returns every byte of the form: no literal percent sign, no invalid sequence. */
    public static boolean isForm(String text, Charset charset) {
        return form(text, charset).equals(text);
    }

    /** Decodes percent escapes; a plus is literal, and an escape that is invalid in the charset stays unchanged. */
    public static String decoded(String text, Charset charset) {
        return URLDecoder.decode(form(text.replace("+", "%2B"), charset), charset);
    }

    /**
     * The query of a request line, whose characters are bytes, in a form that every decoder reads without loss: bytes beyond
     * ASCII are UTF-8 if valid, else Latin-1. The same object if it already has that form.
     */
    public static String query(String query) {
        return form(largest(query) <= ASCII_MAX ? query : encoded(header(query)), StandardCharsets.UTF_8);
    }

    /** A header value whose characters are bytes: decoded as UTF-8 if valid, else unchanged (RFC 9110, 5.5). */
    public static String header(String value) {
        var largest = largest(value);
        if (largest <= ASCII_MAX || largest > BYTE_MAX) {
            return value;
        }
        return ReceivedText.decoded(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                .orElse(value);
    }

    /** The largest character; without a stream, because each request has a dozen of these texts. */
    private static int largest(String text) {
        var largest = 0;
        for (var at = 0; at < text.length(); at++) {
            largest = Math.max(largest, text.charAt(at));
        }
        return largest;
    }

    private static String encoded(String text) {
        var encoded = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (character <= ASCII_MAX) {
                encoded.append((char) character);
            } else {
                for (var part : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
                    encoded.append('%').append(HEX.toHexDigits(part));
                }
            }
        });
        return encoded.toString();
    }

    /** End of the sequence of encoded bytes that begins here; the same position when there is none. */
    private static int runEnd(String text, int from) {
        var at = from;
        while (at + 2 < text.length()
                && text.charAt(at) == '%'
                && HexFormat.isHexDigit(text.charAt(at + 1))
                && HexFormat.isHexDigit(text.charAt(at + 2))) {
            at += 3;
        }
        return at;
    }

    private static void appendRun(StringBuilder form, String text, int from, int end, Charset charset) {
        var bytes = new byte[(end - from) / 3];
        for (var index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) HexFormat.fromHexDigits(text, from + 3 * index + 1, from + 3 * index + 3);
        }
        var run = text.substring(from, end);
        form.append(ReceivedText.decoded(bytes, charset).isPresent() ? run : run.replace("%", "%25"));
    }
}
