package io.millrace.sandbox.expression.closure;

import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.Meter;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Regular expressions that match in JavaScript and in the JDK the same: characters, classes, groups without repetition, and
 * quantifiers of single characters. Texts for them have no surrogates, and no other than ASCII characters if case is ignored.
 */
final class PlainPattern {
    private static final Set<String> FLAGS = Set.of("", "g", "i", "gi", "ig");
    private static final String ESCAPE = "\\\\[dDwWsSnrt./\\\\+*?()\\[\\]{}|^$-]";
    private static final String IN_CLASS = "(?:[ !#-%'-+--Z_`a-z,:;<=>@\"{}|]|\\\\[dwsnrt./\\\\+*?()\\[\\]{}|^$-])";
    private static final String CLASS = "\\[\\^?" + IN_CLASS + "++\\]";
    private static final String CHARACTER = "[ !\"#%&',:;<=>@_`~a-zA-Z0-9/-]";
    private static final String QUANTIFIER = "(?:[*+?]|\\{[0-9]{1,3}(?:,[0-9]{0,3})?\\})\\??";
    private static final String ATOM = "(?:" + CHARACTER + "|\\.|" + ESCAPE + "|" + CLASS + ")(?:" + QUANTIFIER + ")?";
    private static final Pattern TOKEN = Pattern.compile(ATOM + "|\\((?:\\?:)?|[)|^$]");
    private static final long METER_UNITS = 1_000;

    private PlainPattern() {}

    static boolean isPlain(JsPattern pattern) {
        var source = pattern.source();
        if (!FLAGS.contains(pattern.flags())) {
            return false;
        }
        var token = TOKEN.matcher(source);
        var at = 0;
        while (at < source.length()) {
            if (!token.region(at, source.length()).lookingAt()) {
                return false;
            }
            at = token.end();
        }
        return !matchesNothing(pattern);
    }

    /** True for a pattern that matches the empty text, which moves a search on by one position, or that needs much work for it. */
    private static boolean matchesNothing(JsPattern pattern) {
        try {
            return JsPattern.find(pattern.on("", new Meter(METER_UNITS)));
        } catch (ExpressionFailure exceeded) {
            return true;
        }
    }

    static void requirePlainSubject(String text, JsPattern pattern) {
        var isAscii = pattern.flags().indexOf('i') >= 0;
        for (var index = 0; index < text.length(); index++) {
            var character = text.charAt(index);
            if (Character.isSurrogate(character) || isAscii && character >= 128) {
                throw new SubsetExit("a text that may match differently");
            }
        }
    }
}
