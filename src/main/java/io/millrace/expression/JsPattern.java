package io.millrace.expression;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A JavaScript regular expression on top of Java's. Every character that a match looks at is paid for, so a pattern
 * that backtracks without end runs out of fuel instead.
 */
final class JsPattern {
    private static final int SOURCE_LENGTH_MAX = 2_000;

    private final String source;
    private final String flags;
    private final Pattern compiled;

    private JsPattern(String source, String flags, Pattern compiled) {
        this.source = source;
        this.flags = flags;
        this.compiled = compiled;
    }

    static JsPattern compile(String source, String flags) {
        if (source.length() > SOURCE_LENGTH_MAX) {
            throw JsError.syntax("expected a regular expression of at most " + SOURCE_LENGTH_MAX + " characters");
        }
        var options = 0;
        for (var i = 0; i < flags.length(); i++) {
            options |= switch (flags.charAt(i)) {
                case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
                case 'm' -> Pattern.MULTILINE;
                case 's' -> Pattern.DOTALL;
                case 'g', 'u', 'y', 'd' -> 0;
                default -> throw JsError.syntax("expected flags among dgimsuy, but found '" + flags + "'");
            };
        }
        try {
            var translated = RegexTranslator.translate(source, (options & Pattern.MULTILINE) != 0);
            return new JsPattern(source, flags, Pattern.compile(translated, options));
        } catch (PatternSyntaxException malformed) {
            throw JsError.syntax("invalid regular expression: " + malformed.getDescription());
        } catch (StackOverflowError tooDeep) {
            throw JsError.syntax("regular expression nests too deep");
        }
    }

    String source() {
        return source;
    }

    String flags() {
        return flags;
    }

    boolean isGlobal() {
        return flags.indexOf('g') >= 0;
    }

    /** Names of the groups, in the form that the source uses. */
    List<String> groupNames() {
        return List.copyOf(compiled.namedGroups().keySet());
    }

    Matcher on(String text, Meter meter) {
        return compiled.matcher(new PaidText(text, meter));
    }

    /** The next match. Java's engine recurses once per repetition of a group, so a long text can exhaust its stack. */
    static boolean find(Matcher matcher) {
        try {
            return matcher.find();
        } catch (StackOverflowError tooDeep) {
            throw new ExpressionFailure(
                    ExpressionFailure.LIMIT_EXCEEDED, "the text is too long for the regular expression");
        }
    }

    @Override
    public String toString() {
        return "/" + source + "/" + flags;
    }

    /** A text whose reading is paid for. */
    private record PaidText(String text, Meter meter) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            meter.spend(1);
            return text.charAt(index);
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
