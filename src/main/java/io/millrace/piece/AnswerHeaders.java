package io.millrace.piece;

import io.millrace.base.core.text.HeaderRule;
import java.util.Map;

/**
 * Response headers set by the author of a flow. HTTP/1.1 sends values as Latin-1; other characters are rejected when
 * the step runs, because they would be altered or dropped later.
 */
public final class AnswerHeaders {
    /** Limit on the characters of all names and values. Clients accept between 16 KB and 384 KB. */
    private static final int CHARACTERS_MAX = 64 * 1024;

    private AnswerHeaders() {}

    /** Fails with a {@link PieceFailure} that names an invalid header. */
    public static Map<String, String> checked(Map<String, String> headers) {
        var characters = 0L;
        for (var header : headers.entrySet()) {
            var name = header.getKey();
            if (!HeaderRule.isName(name) || !HeaderRule.isValue(header.getValue())) {
                throw PieceFailure.of("Expected a valid HTTP header (a name of at most 256 ASCII letters, digits and"
                        + " hyphens, a value of Latin-1 characters in one line), found other text in the header "
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

    private static String shown(String name) {
        var plain = name.replaceAll("[^\\x21-\\x7e]", "?");
        return '"' + plain.substring(0, Math.min(plain.length(), 100)) + '"';
    }
}
