package io.millrace.piece;

import io.millrace.base.core.HeaderRule;
import java.util.Map;

/**
 * Headers that an author describes for the caller of a run. HTTP/1.1 sends a value as Latin-1: what it cannot carry is refused when the
 * step runs, because it would be altered or dropped afterwards.
 */
public final class AnswerHeaders {
    /** Names and values together. Clients read no more: 16 KB to 384 KB. */
    private static final int CHARACTERS_MAX = 64 * 1024;

    private AnswerHeaders() {}

    /** Answers the headers; fails with a {@link PieceFailure} that names the one that cannot be sent. */
    public static Map<String, String> checked(Map<String, String> headers) {
        var characters = 0L;
        for (var header : headers.entrySet()) {
            var name = header.getKey();
            if (!HeaderRule.isName(name) || !HeaderRule.isValue(header.getValue())) {
                throw PieceFailure.of(
                        "Expected a name and a value that HTTP allows (a name of at most 256 ASCII letters, digits and"
                                + " hyphens, a value of Latin-1 characters in one line), found another in the header "
                                + shown(name));
            }
            characters += name.length() + header.getValue().length();
        }
        if (characters > CHARACTERS_MAX) {
            throw PieceFailure.of("Expected at most " + CHARACTERS_MAX
                    + " characters in the headers of the response, found " + characters);
        }
        return headers;
    }

    /** A name as a message shows it: in one line, and not longer than a name should be. */
    private static String shown(String name) {
        var plain = name.replaceAll("[^\\x21-\\x7e]", "?");
        return '"' + plain.substring(0, Math.min(plain.length(), 100)) + '"';
    }
}
