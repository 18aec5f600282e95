package io.millrace.authoring.importer.n8n.expression;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;

/** Texts of expressions: quoting, and escaping of the brackets that mark tokens. */
public final class ScriptTexts {
    private ScriptTexts() {}

    /** The text as a literal of JavaScript that contains no bracket of a token. */
    public static String quoted(String text) {
        return Json.text(TextNode.valueOf(text))
                .replace("{{", "{\\u007b")
                .replace("}}", "}\\u007d")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    /** A text without expressions as an input: brackets that would begin a token become tokens for themselves. */
    public static String literal(String text) {
        return text.replace("{{", "{{'{'+'{'}}").replace("ap-formula-v1::{", "ap-formula-v1{{':'}}:{");
    }

    /**
     * The expression as a token.
     *
     * <p>Fails with {@link ScriptProblem} if a bracket of a token is inside a template literal.
     */
    public static String token(String script) {
        var text = new StringBuilder("{{");
        var quote = '\0';
        var previous = ' ';
        for (var index = 0; index < script.length(); index++) {
            var c = script.charAt(index);
            var isPair = c == previous && (c == '{' || c == '}');
            if (quote == '\0') {
                text.append(isPair ? " " : "").append(c);
                quote = c == '"' || c == '\'' || c == '`' ? c : '\0';
            } else if (c == '\\' && index + 1 < script.length()) {
                text.append(c).append(script.charAt(++index));
                c = ' ';
            } else if (isPair && quote == '`') {
                throw new ScriptProblem("a template literal contains double braces");
            } else {
                text.append(isPair ? (c == '{' ? "\\u007b" : "\\u007d") : String.valueOf(c));
                quote = c == quote ? '\0' : quote;
                c = isPair ? ' ' : c;
            }
            previous = c;
        }
        // A bracket at an end would join the brackets of the token.
        var last = text.charAt(text.length() - 1);
        return (text.length() > 2 && text.charAt(2) == '{' ? text.insert(2, ' ') : text)
                .append(last == '}' ? " " : "")
                .append("}}")
                .toString();
    }
}
