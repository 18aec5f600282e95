package io.millrace.sandbox.expression.parser;

import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Finds the tokens of a text (contract flows-and-engine 7.1). The one tokeniser: running, migrating, duplicating and collecting
 * connections all use it.
 *
 * <p>Quotes and single braces have no meaning here, so a token ends at the first matching pair of closing braces. Stored flows
 * depend on this behavior. Only the brace of a formula's mark belongs to the formula, so that a formula of a single token contains
 * that token.
 */
public final class Tokeniser {
    public static final String FORMULA_OPEN = "ap-formula-v1::{";

    public static final String FORMULA_CLOSE = "}::ap-formula-v1";

    private Tokeniser() {}

    /**
     * One token.
     *
     * @param start index of the first opening brace
     * @param end index after the last closing brace
     * @param inner text between the braces, trimmed
     */
    public record Token(int start, int end, String inner) {}

    /** The tokens from left to right; a pair of braces that is never closed makes none. */
    public static List<Token> tokens(String text) {
        var found = new ArrayList<Token>();
        var depth = 0;
        var start = -1;
        var i = text.indexOf("{{");
        while (i >= 0 && i < text.length() - 1) {
            if (depth == 0 && opensFormula(text, i)) {
                i++;
            } else if (isPair(text, i, '{')) {
                if (depth == 0) {
                    start = i;
                }
                depth++;
                i += 2;
            } else if (depth > 0 && isPair(text, i, '}')) {
                depth--;
                i += 2;
                if (depth == 0) {
                    found.add(new Token(start, i, JsText.trim(text.substring(start + 2, i - 2))));
                }
            } else {
                i++;
            }
        }
        return found;
    }

    /**
     * The same text with the inside of every token replaced.
     *
     * @param inner gets the inside with its surrounding spaces, so that a rewrite need not lose them
     */
    public static String rewrite(String text, UnaryOperator<String> inner) {
        var tokens = tokens(text);
        if (tokens.isEmpty()) {
            return text;
        }
        var result = new StringBuilder(text.length() + 32);
        var kept = 0;
        for (var token : tokens) {
            result.append(text, kept, token.start() + 2);
            result.append(inner.apply(text.substring(token.start() + 2, token.end() - 2)));
            kept = token.end() - 2;
        }
        return result.append(text, kept, text.length()).toString();
    }

    /** True if this brace belongs to the mark before a formula: it is not part of a pair. */
    private static boolean opensFormula(String text, int at) {
        return text.regionMatches(at + 1 - FORMULA_OPEN.length(), FORMULA_OPEN, 0, FORMULA_OPEN.length());
    }

    private static boolean isPair(String text, int at, char brace) {
        return text.charAt(at) == brace && text.charAt(at + 1) == brace;
    }
}
