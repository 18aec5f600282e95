package io.millrace.engine.run.flowtest;

/** Pattern of a text: {@code *} matches any characters, every other character itself. Matches in linear memory. */
final class TextPattern {
    private static final char ANY = '*';

    private TextPattern() {}

    /** Matches the whole text. Greedy with one point of return, so that the time is at most the product of the lengths. */
    static boolean matches(String pattern, String text) {
        var at = 0;
        var expected = 0;
        var returnTo = -1;
        var resumeAt = 0;
        while (at < text.length()) {
            if (expected < pattern.length() && pattern.charAt(expected) == ANY) {
                returnTo = ++expected;
                resumeAt = at;
            } else if (expected < pattern.length() && pattern.charAt(expected) == text.charAt(at)) {
                expected++;
                at++;
            } else if (returnTo >= 0) {
                expected = returnTo;
                at = ++resumeAt;
            } else {
                return false;
            }
        }
        while (expected < pattern.length() && pattern.charAt(expected) == ANY) {
            expected++;
        }
        return expected == pattern.length();
    }
}
