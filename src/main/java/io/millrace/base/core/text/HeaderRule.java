package io.millrace.base.core.text;

import java.util.regex.Pattern;

/**
 * The rule for header text from flows, users and peers (RFC 9110 5.1 and 5.5): a name is a token, a value is one line of
 * Latin-1 without control characters. The server sends only such headers, in requests and in responses.
 */
public final class HeaderRule {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final int NAME_LENGTH_MAX = 256;
    private static final int LATIN_1_MAX = 0xff;

    private HeaderRule() {}

    /** Returns true if the text is a token of at most 256 characters. */
    public static boolean isName(String text) {
        return text.length() <= NAME_LENGTH_MAX && TOKEN.matcher(text).matches();
    }

    public static boolean isValue(String text) {
        return text.chars().allMatch(c -> c == '\t' || c <= LATIN_1_MAX && !Character.isISOControl(c));
    }
}
