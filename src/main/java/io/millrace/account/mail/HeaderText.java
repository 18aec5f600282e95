package io.millrace.account.mail;

import io.millrace.base.core.CutText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Text in headers: characters other than ASCII are encoded (RFC 2047), and no text can end its line. The mail library would
 * pass a text that looks like an encoded word unchanged, and receivers would decode it as a different text.
 */
final class HeaderText {
    private static final Pattern PLAIN = Pattern.compile("[\\x20-\\x7e]*");
    private static final Pattern WORDS = Pattern.compile("[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*");

    /** 75 characters less the frame make 45 bytes before Base64. */
    private static final int WORD_BYTES_MAX = 45;

    private static final int PLAIN_LENGTH_MAX = 200;
    private static final int SHOWN_LENGTH_MAX = 80;

    private HeaderText() {}

    /** Refuses a text that holds a control character, in particular a line end, or is too long. */
    static void check(String what, String text, int lengthMax) {
        if (text.length() > lengthMax) {
            throw new IllegalArgumentException(
                    "expected " + what + " of at most " + lengthMax + " characters, found " + text.length());
        }
        if (text.chars().anyMatch(HeaderText::endsLine)) {
            throw new IllegalArgumentException("expected " + what + " without control characters");
        }
    }

    private static boolean endsLine(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    /** A text without structure, such as a subject. */
    static String unstructured(String text) {
        return PLAIN.matcher(text).matches() && text.length() <= PLAIN_LENGTH_MAX && !text.contains("=?")
                ? text
                : encoded(text);
    }

    /** A text before an address. */
    static String phrase(String text) {
        if (!PLAIN.matcher(text).matches() || text.contains("=?")) {
            return encoded(text);
        }
        return WORDS.matcher(text).matches() ? text : quoted(text);
    }

    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Encoded words of whole characters, one per line. */
    private static String encoded(String text) {
        var header = new StringBuilder();
        var word = new StringBuilder();
        for (var index = 0; index < text.length(); ) {
            var next = Character.toString(text.codePointAt(index));
            if (bytes(word + next).length > WORD_BYTES_MAX) {
                append(header, word);
                word.setLength(0);
            }
            word.append(next);
            index += next.length();
        }
        append(header, word);
        return header.toString();
    }

    private static void append(StringBuilder header, StringBuilder word) {
        if (!header.isEmpty()) {
            header.append("\r\n ");
        }
        header.append("=?UTF-8?B?")
                .append(Base64.getEncoder().encodeToString(bytes(word.toString())))
                .append("?=");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Untrusted text as shown in errors. */
    static String shown(String text) {
        var visible = text.replaceAll("\\p{Cntrl}", "?");
        return CutText.marked(visible, SHOWN_LENGTH_MAX, "…");
    }
}
