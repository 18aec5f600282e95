package io.millrace.piece.builtin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.core.Json;
import io.millrace.piece.PieceFailure;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression as JavaScript understands it, with a bound on the work it may do: expressions come from the
 * authors of flows, and some of them would never end.
 */
final class ScriptPattern {
    private final Pattern pattern;
    private final ScriptPatternTranslation translation;

    private ScriptPattern(ScriptPatternTranslation translation, Pattern pattern) {
        this.translation = translation;
        this.pattern = pattern;
    }

    /** Reads an expression; refuses one that is not valid or not supported. */
    static ScriptPattern compile(String expression, boolean ignoreCase) {
        var flags = ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        try {
            var translation = ScriptPatternTranslation.of(expression);
            return new ScriptPattern(translation, Pattern.compile(translation.text(), flags));
        } catch (PatternSyntaxException invalid) {
            throw PieceFailure.of("Expected a regular expression, found: " + expression);
        }
    }

    /** The first match and its groups, as {@code text.match(expression)} answers; a group without a match is null. */
    Optional<ArrayNode> find(String text) {
        return bounded(() -> {
            var matcher = matcher(text);
            if (!matcher.find()) {
                return Optional.empty();
            }
            var found = Json.array();
            for (var group = 0; group <= matcher.groupCount(); group++) {
                found.add(matcher.group(group));
            }
            return Optional.of(found);
        });
    }

    /** Replaces one match or all; the replacement may name groups as {@code $1}, {@code $<name>} or {@code $&}. */
    String replace(String text, String replacement, boolean onlyFirst) {
        return bounded(() -> {
            var matcher = matcher(text);
            var result = new StringBuilder();
            var from = 0;
            while (matcher.find()) {
                result.append(text, from, matcher.start());
                appendReplacement(result, text, replacement, matcher);
                from = matcher.end();
                if (onlyFirst) {
                    break;
                }
            }
            return result.append(text, from, text.length()).toString();
        });
    }

    private void appendReplacement(StringBuilder result, String text, String replacement, Matcher matcher) {
        var i = 0;
        while (i < replacement.length()) {
            var character = replacement.charAt(i);
            var next = i + 1 < replacement.length() ? replacement.charAt(i + 1) : 0;
            var taken = character == '$' ? appendReference(result, text, replacement, i + 1, next, matcher) : 0;
            if (taken == 0) {
                result.append(character);
            }
            i += 1 + taken;
        }
    }

    /** Appends what a {@code $} refers to; answers how many characters behind it belong to it, 0 for a plain dollar. */
    private int appendReference(
            StringBuilder result, String text, String replacement, int at, char next, Matcher matcher) {
        switch (next) {
            case '$' -> result.append('$');
            case '&' -> result.append(matcher.group());
            case '`' -> result.append(text, 0, matcher.start());
            case '\'' -> result.append(text, matcher.end(), text.length());
            case '<' -> {
                return appendNamed(result, replacement, at, matcher);
            }
            default -> {
                return appendNumbered(result, replacement, at, matcher);
            }
        }
        return 1;
    }

    private int appendNamed(StringBuilder result, String replacement, int at, Matcher matcher) {
        var end = replacement.indexOf('>', at);
        if (end < 0 || !translation.hasNames()) {
            return 0;
        }
        translation
                .groupNamed(replacement.substring(at + 1, end))
                .map(matcher::group)
                .ifPresent(result::append);
        return end - at + 1;
    }

    private static int appendNumbered(StringBuilder result, String replacement, int at, Matcher matcher) {
        // Two digits win when there are so many groups.
        for (var digits = 2; digits >= 1; digits--) {
            if (at + digits > replacement.length()) {
                continue;
            }
            var number = replacement.substring(at, at + digits);
            if (!number.chars().allMatch(character -> character >= '0' && character <= '9')) {
                continue;
            }
            var group = Integer.parseInt(number);
            if (group >= 1 && group <= matcher.groupCount()) {
                var found = matcher.group(group);
                result.append(found == null ? "" : found);
                return digits;
            }
        }
        return 0;
    }

    private Matcher matcher(String text) {
        return pattern.matcher(new BoundedText(text));
    }

    private static <T> T bounded(Supplier<T> work) {
        try {
            return work.get();
        } catch (StackOverflowError tooDeep) {
            // The JDK's matcher recurses for every repetition of a group: a long text can exhaust the stack, which
            // the matcher survives.
            throw BoundedText.tooCostly();
        }
    }

    /** A text that counts how often it is looked at and refuses to be looked at for ever. */
    private static final class BoundedText implements CharSequence {
        /** Looks at the text that any expression has for free, and looks per character. */
        private static final long LOOKS_FREE = 1_000_000;

        private static final long LOOKS_PER_CHARACTER = 20;

        private final String text;
        private long looksLeft;

        BoundedText(String text) {
            this.text = text;
            this.looksLeft = LOOKS_FREE + LOOKS_PER_CHARACTER * text.length();
        }

        static PieceFailure tooCostly() {
            return PieceFailure.of("Expected a regular expression of reasonable cost for this text, found one that"
                    + " tries too many possibilities");
        }

        @Override
        public char charAt(int index) {
            if (--looksLeft < 0) {
                throw tooCostly();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
