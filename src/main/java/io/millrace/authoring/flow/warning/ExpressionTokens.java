package io.millrace.authoring.flow.warning;

import io.millrace.base.core.CutText;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.parser.Tokeniser;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import java.util.Optional;

final class ExpressionTokens {
    private static final int SHOWN_CHARACTERS_MAX = 80;
    private static final String CLOSE = "}}";

    private ExpressionTokens() {}

    /** JavaScript syntax error of a text; empty when it is valid or cannot be decided. */
    static Optional<SyntaxIssue> syntaxError(String source) {
        return Expression.of(source).issue().filter(issue -> issue.kind() == SyntaxIssue.Kind.SYNTAX);
    }

    /**
     * The expression that the author probably meant where two braces inside it end the token too early: the shortest longer text up
     * to another pair of closing braces that has no syntax error.
     */
    static Optional<String> intended(String text, Tokeniser.Token token) {
        if (syntaxError(token.inner()).isEmpty()) {
            return Optional.empty();
        }
        var next = text.indexOf("{{", token.end());
        var limit = next < 0 ? text.length() : next;
        // The pair that ended the token may overlap the pair that is meant: in "1}}}" the last two characters close.
        for (var close = text.indexOf(CLOSE, token.end() - 1);
                close >= 0 && close < limit;
                close = text.indexOf(CLOSE, close + 1)) {
            var longer = text.substring(token.start() + 2, close).strip();
            if (syntaxError(longer).isEmpty()) {
                return Optional.of(longer);
            }
        }
        return Optional.empty();
    }

    static String shown(String source) {
        return CutText.marked(source, SHOWN_CHARACTERS_MAX, "…");
    }
}
