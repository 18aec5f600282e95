package io.millrace.sandbox.expression.value;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A JavaScript regular expression on top of Java's. Every character access of a match is metered, and every entry of a group, an
 * alternative or a back reference ({@link PatternTranslation}), so unbounded backtracking runs out of fuel.
 */
public final class JsPattern {
    private static final int SOURCE_LENGTH_MAX = 2_000;
    private static final String FLAGS = "dgimsuy";

    /** Units of a compilation, in addition to one for each character. */
    private static final int COMPILATION_UNITS = 100;

    private final String source;
    private final String flags;
    private final Map<String, String> groupNames;
    private final Pattern compiled;

    private JsPattern(String source, String flags, Map<String, String> groupNames, Pattern compiled) {
        this.source = source;
        this.flags = flags;
        this.groupNames = groupNames;
        this.compiled = compiled;
    }

    public static JsPattern compile(String source, String flags, Meter meter) {
        meter.spend(COMPILATION_UNITS + Math.min(source.length(), SOURCE_LENGTH_MAX));
        return compile(source, flags);
    }

    public static JsPattern compile(String source, String flags) {
        if (source.length() > SOURCE_LENGTH_MAX) {
            throw JsError.syntax("expected a regular expression of at most " + SOURCE_LENGTH_MAX + " characters");
        }
        if (flags.length() > FLAGS.length()) {
            throw JsError.syntax("expected at most " + FLAGS.length() + " flags");
        }
        if (!flags.chars().allMatch(flag -> FLAGS.indexOf(flag) >= 0)) {
            throw JsError.syntax("expected flags among " + FLAGS + ", but found '" + flags + "'");
        }
        var options = flags.indexOf('i') >= 0 ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        try {
            var translation = PatternTranslation.of(source, flags);
            return new JsPattern(source, flags, translation.groupNames(), Pattern.compile(translation.text(), options));
        } catch (PatternSyntaxException malformed) {
            throw JsError.syntax("invalid regular expression: " + malformed.getDescription());
        } catch (StackOverflowError tooDeep) {
            throw JsError.syntax("regular expression nests too deep");
        }
    }

    public String source() {
        return source;
    }

    public String flags() {
        return flags;
    }

    public boolean isGlobal() {
        return flags.indexOf('g') >= 0;
    }

    /** Named groups: from the name in the source to the name in the matcher. */
    public Map<String, String> groupNames() {
        return groupNames;
    }

    public Matcher on(String text, Meter meter) {
        // The end of the text is then the length of the text, and each test for it is an access that the meter sees.
        return compiled.matcher(new PaidText(text, meter)).useAnchoringBounds(false);
    }

    /** The next match. Java's engine recurses once per repetition of a group, so a long text can exhaust its stack. */
    public static boolean find(Matcher matcher) {
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

    private record PaidText(String text, Meter meter) implements CharSequence {
        @Override
        public int length() {
            meter.spend(1);
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
