package io.millrace.piece.builtin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Writes a JavaScript regular expression as one of the JDK that matches the same: the two share most of their syntax
 * but read some of the same characters differently. Refuses what JavaScript has not.
 */
final class ScriptPatternTranslation {
    private static final Pattern QUANTIFIER = Pattern.compile("\\{[0-9]{1,9}(,[0-9]{0,9})?\\}");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]+");
    private static final String SPACES =
            "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
    private static final String LINE_ENDS = "\\n\\r\\u2028\\u2029";

    private final String source;
    private final StringBuilder target = new StringBuilder();
    private final Map<String, String> groupNames = new LinkedHashMap<>();
    private int at;

    private ScriptPatternTranslation(String source) {
        this.source = source;
    }

    static ScriptPatternTranslation of(String source) {
        var translation = new ScriptPatternTranslation(source);
        translation.translate();
        return translation;
    }

    /** The expression for the JDK. */
    String text() {
        return target.toString();
    }

    /** Whether the expression has named groups. */
    boolean hasNames() {
        return !groupNames.isEmpty();
    }

    /** The JDK's name of a named group. */
    Optional<String> groupNamed(String name) {
        return Optional.ofNullable(groupNames.get(name));
    }

    private void translate() {
        while (at < source.length()) {
            var character = source.charAt(at);
            switch (character) {
                case '\\' -> escape(false);
                case '[' -> characterClass();
                case '(' -> group();
                case '.' -> take(1, "[^" + LINE_ENDS + "]");
                case '$' -> take(1, "\\z");
                case '{' -> brace();
                case ']', '}' -> take(1, "\\" + character);
                case '*', '+', '?' -> quantifier(1);
                default -> take(1, String.valueOf(character));
            }
        }
    }

    private void take(int length, String written) {
        at += length;
        target.append(written);
    }

    private void brace() {
        var quantifier = QUANTIFIER.matcher(source).region(at, source.length());
        if (quantifier.lookingAt()) {
            quantifier(quantifier.end() - at);
        } else {
            take(1, "\\{");
        }
    }

    /** A second plus would make the JDK's quantifier possessive, which JavaScript has not. */
    private void quantifier(int length) {
        take(length, source.substring(at, at + length));
        if (at < source.length() && source.charAt(at) == '?') {
            take(1, "?");
        }
        if (at < source.length() && "*+?".indexOf(source.charAt(at)) >= 0) {
            throw refused("nothing to repeat");
        }
    }

    private void group() {
        if (!source.startsWith("(?", at)) {
            take(1, "(");
            return;
        }
        for (var opening : new String[] {"(?:", "(?=", "(?!", "(?<=", "(?<!"}) {
            if (source.startsWith(opening, at)) {
                take(opening.length(), opening);
                return;
            }
        }
        var end = source.startsWith("(?<", at) ? source.indexOf('>', at) : -1;
        if (end < at + 4) {
            throw refused("unknown kind of group");
        }
        var name = source.substring(at + 3, end);
        var written = "group" + groupNames.size();
        if (groupNames.put(name, written) != null) {
            throw refused("two groups of one name");
        }
        take(end + 1 - at, "(?<" + written + ">");
    }

    private void characterClass() {
        if (source.startsWith("[^]", at)) {
            take(3, "[\\s\\S]");
            return;
        }
        if (source.startsWith("[]", at)) {
            take(2, "(?!)");
            return;
        }
        take(1, "[");
        if (at < source.length() && source.charAt(at) == '^') {
            take(1, "^");
        }
        while (at < source.length() && source.charAt(at) != ']') {
            var character = source.charAt(at);
            switch (character) {
                case '\\' -> escape(true);
                // These begin nested classes and intersections in the JDK.
                case '[', '&', '^' -> take(1, "\\" + character);
                default -> take(1, String.valueOf(character));
            }
        }
        if (at >= source.length()) {
            throw refused("class without an end");
        }
        take(1, "]");
    }

    private void escape(boolean inClass) {
        if (at + 1 >= source.length()) {
            throw refused("nothing behind a backslash");
        }
        var character = source.charAt(at + 1);
        switch (character) {
            case 'd', 'D', 'w', 'W', 'n', 'r', 't', 'f' -> take(2, "\\" + character);
            case 's' -> take(2, inClass ? SPACES : "[" + SPACES + "]");
            case 'S' -> take(2, "[^" + SPACES + "]");
            case 'v' -> take(2, "\\x0B");
            case 'b' -> take(2, inClass ? "\\x08" : "\\b");
            case 'B' -> take(2, inClass ? "B" : "\\B");
            case '0' -> take(2, "\\x00");
            case 'x' -> hex(2);
            case 'u' -> hex(4);
            case 'k' -> namedReference(inClass);
            default -> other(character, inClass);
        }
    }

    private void other(char character, boolean inClass) {
        if (character >= '1' && character <= '9' && !inClass) {
            take(2, "\\" + character);
        } else if (Character.isLetterOrDigit(character)) {
            // A letter without a meaning of its own stands for itself.
            take(2, String.valueOf(character));
        } else {
            take(2, "\\" + character);
        }
    }

    private void hex(int digits) {
        var end = at + 2 + digits;
        var isCode = end <= source.length()
                && HEX.matcher(source.substring(at + 2, end)).matches();
        if (isCode) {
            take(2 + digits, source.substring(at, end));
        } else {
            take(2, String.valueOf(source.charAt(at + 1)));
        }
    }

    private void namedReference(boolean inClass) {
        var end = source.startsWith("\\k<", at) && !inClass ? source.indexOf('>', at) : -1;
        if (end < 0) {
            take(2, "k");
            return;
        }
        var written = groupNames.get(source.substring(at + 3, end));
        if (written == null) {
            throw refused("reference to a group that is not there");
        }
        take(end + 1 - at, "\\k<" + written + ">");
    }

    private PatternSyntaxException refused(String reason) {
        return new PatternSyntaxException(reason, source, at);
    }
}
