package io.millrace.sandbox.expression.value;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Writes a JavaScript regular expression as one of the JDK that matches the same: the two share most of their syntax but read some
 * of the same characters differently. Refuses syntax that JavaScript lacks. Translates the flags m, s and u into the expression, so
 * that the JDK's flags are not needed.
 *
 * <p>Each group, alternative and back reference begins with {@link #MEASURED}: these can match without reading a character, so a
 * meter of character accesses does not see their repetition. So do parts that never read one, and each 64 characters of the source.
 */
final class PatternTranslation {
    private static final Pattern QUANTIFIER = Pattern.compile("\\{[0-9]{1,9}(,[0-9]{0,9})?\\}");
    private static final Pattern NEVER = Pattern.compile("\\{0+(,0+)?\\}");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]+");
    private static final String SPACES =
            "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
    private static final String LINE_ENDS = "\\n\\r\\u2028\\u2029";

    /** Matches everywhere, reads no character, and asks a text for its length if bounds do not anchor. */
    private static final String MEASURED = "(?!\\z(?!))";

    /** Characters of the source, and so nodes, between two metered ones. */
    private static final int UNMEASURED_MAX = 64;

    private final String source;
    private final String flags;
    private final StringBuilder target = new StringBuilder();
    private final Map<String, String> groupNames = new LinkedHashMap<>();
    private int at;
    private int measuredAt;
    private int capturingGroups;

    private PatternTranslation(String source, String flags) {
        this.source = source;
        this.flags = flags;
    }

    static PatternTranslation of(String source, String flags) {
        var translation = new PatternTranslation(source, flags);
        translation.translate();
        return translation;
    }

    String text() {
        return target.toString();
    }

    Map<String, String> groupNames() {
        return groupNames;
    }

    private boolean hasFlag(char flag) {
        return flags.indexOf(flag) >= 0;
    }

    private void translate() {
        while (at < source.length()) {
            if (at - measuredAt >= UNMEASURED_MAX && !isInPart()) {
                measure();
            }
            var character = source.charAt(at);
            switch (character) {
                case '\\' -> escape(false);
                case '[' -> characterClass();
                case '(' -> group();
                case '.' -> take(1, hasFlag('s') ? "[\\s\\S]" : "[^" + LINE_ENDS + "]");
                case '|' -> opening(1, "|");
                case '^' -> assertion(1, hasFlag('m') ? "(?<=^|[" + LINE_ENDS + "])" : "^");
                case '$' -> assertion(1, hasFlag('m') ? "(?=[" + LINE_ENDS + "]|\\z)" : "\\z");
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

    private void measure() {
        target.append(MEASURED);
        measuredAt = at;
    }

    private void opening(int length, String written) {
        assertion(length, written);
        measure();
    }

    /** Refuses a repetition, which JavaScript has for lookaheads only. */
    private void assertion(int length, String written) {
        take(length, written);
        refuseRepetition();
    }

    /** True in front of a quantifier, and between the two units of a character. */
    private boolean isInPart() {
        return isAtQuantifier() || Character.isLowSurrogate(source.charAt(at));
    }

    private void refuseRepetition() {
        if (isAtQuantifier()) {
            throw refused("nothing to repeat");
        }
    }

    private boolean isAtQuantifier() {
        return at < source.length() && ("*+?".indexOf(source.charAt(at)) >= 0 || quantifierLength() > 0);
    }

    private int quantifierLength() {
        var quantifier = QUANTIFIER.matcher(source).region(at, source.length());
        return quantifier.lookingAt() ? quantifier.end() - at : 0;
    }

    private void brace() {
        var length = quantifierLength();
        if (length > 0) {
            quantifier(length);
        } else {
            take(1, "\\{");
        }
    }

    /**
     * Refuses a second quantifier; a plus would make the JDK's one possessive, which JavaScript does not have. What is repeated
     * zero times reads no character.
     */
    private void quantifier(int length) {
        var quantifier = source.substring(at, at + length);
        take(length, quantifier);
        if (at < source.length() && source.charAt(at) == '?') {
            take(1, "?");
        }
        refuseRepetition();
        if (NEVER.matcher(quantifier).matches()) {
            measure();
        }
    }

    private void group() {
        if (!source.startsWith("(?", at)) {
            capturingGroups++;
            opening(1, "(");
            return;
        }
        for (var opening : new String[] {"(?:", "(?=", "(?!", "(?<=", "(?<!"}) {
            if (source.startsWith(opening, at)) {
                opening(opening.length(), opening);
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
        capturingGroups++;
        opening(end + 1 - at, "(?<" + written + ">");
    }

    private void characterClass() {
        if (source.startsWith("[^]", at)) {
            take(3, "[\\s\\S]");
            return;
        }
        if (source.startsWith("[]", at)) {
            take(2, MEASURED + "(?!)");
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
            case 'b', 'B' -> boundary(character, inClass);
            case '0' -> take(2, "\\x00");
            case 'x' -> hex(2);
            case 'u' -> codePoint();
            case 'k' -> namedReference(inClass);
            case 'c' -> control();
            case 'p', 'P' -> property(character);
            default -> other(character, inClass);
        }
    }

    private void other(char character, boolean inClass) {
        if (character >= '1' && character <= '9' && !inClass) {
            numberedReference();
        } else if (Character.isLetterOrDigit(character)) {
            // An escaped letter without a special meaning is the letter itself.
            take(2, String.valueOf(character));
        } else {
            take(2, "\\" + character);
        }
    }

    private void boundary(char kind, boolean inClass) {
        if (inClass) {
            take(2, kind == 'b' ? "\\x08" : "B");
        } else {
            assertion(2, "\\" + kind);
        }
    }

    /** Takes as many digits as name a group that has begun, at least one. */
    private void numberedReference() {
        var end = at + 2;
        var number = source.charAt(at + 1) - '0';
        while (end < source.length() && source.charAt(end) >= '0' && source.charAt(end) <= '9') {
            var longer = number * 10 + source.charAt(end) - '0';
            if (longer > capturingGroups) {
                break;
            }
            number = longer;
            end++;
        }
        take(end - at, "(?:" + MEASURED + "\\" + number + ")");
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

    /** Braces around a code point mean one only with the flag u; a quantifier otherwise. */
    private void codePoint() {
        var end = hasFlag('u') && source.startsWith("\\u{", at) ? source.indexOf('}', at) : -1;
        if (end < 0) {
            hex(4);
        } else if (HEX.matcher(source.substring(at + 3, end)).matches()) {
            take(end + 1 - at, "\\x{" + source.substring(at + 3, end) + "}");
        } else {
            throw refused("expected a code point in hexadecimal digits");
        }
    }

    private void control() {
        var letter = at + 2 < source.length() ? source.charAt(at + 2) : ' ';
        if (letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z') {
            take(3, String.format("\\x%02x", letter % 32));
        } else {
            take(2, "\\\\c");
        }
    }

    private void property(char kind) {
        var end = hasFlag('u') && source.startsWith("{", at + 2) ? source.indexOf('}', at) : -1;
        if (end < 0) {
            take(2, String.valueOf(kind));
        } else {
            take(end + 1 - at, "\\" + kind + source.substring(at + 2, end + 1));
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
        take(end + 1 - at, "(?:" + MEASURED + "\\k<" + written + ">)");
    }

    private PatternSyntaxException refused(String reason) {
        return new PatternSyntaxException(reason, source, at);
    }
}
