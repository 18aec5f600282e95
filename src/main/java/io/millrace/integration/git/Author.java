package io.millrace.integration.git;

/** Name and address in a commit, each one line without control characters: a commit keeps them as header lines. */
public record Author(String name, String email) {
    public Author {
        name = oneLine(name);
        email = oneLine(email);
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cc}\\u2028\\u2029]+", " ").strip();
    }
}
