package io.millrace.account.mail;

import io.millrace.base.core.CutText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Content of a mail from the platform to a person: one subject in a few paragraphs, with an optional code to type or link to
 * follow. {@link LetterPage} renders it.
 *
 * @param code to be typed in; grants access to its holder
 * @param link to be followed; may grant access to its holder
 * @param closing small print at the end: the reason for this mail, and the action if it was not expected
 */
public record Letter(
        String to,
        String subject,
        String heading,
        List<String> paragraphs,
        Optional<String> code,
        Optional<Link> link,
        String closing) {
    private static final Pattern NOT_SHOWN = Pattern.compile("[\\p{Cc}\\u2028\\u2029\\s]+");
    private static final int NAME_LENGTH_MAX = 100;

    public Letter {
        paragraphs = List.copyOf(paragraphs);
    }

    public record Link(String text, String url) {}

    public static String oneLine(String name) {
        var line = NOT_SHOWN.matcher(name).replaceAll(" ").strip();
        return CutText.marked(line, NAME_LENGTH_MAX, "…");
    }

    @Override
    public String toString() {
        return "Letter[" + subject + "]";
    }
}
