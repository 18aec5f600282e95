package io.millrace.authoring.importer.n8n.expression;

import io.millrace.authoring.importer.n8n.expression.ScriptToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Rewrites the chains of an expression: a value with its members and calls. Operators and all other syntax are kept unchanged.
 */
final class ChainRewriter {
    private static final int NESTING_MAX = 60;

    private static final Set<String> CONSTANTS = Set.of("true", "false", "null", "undefined", "NaN", "Infinity");

    private final List<ScriptToken> tokens;
    private final ScriptTarget target;
    private final Set<String> locals;
    private int at;
    private int nesting;

    private ChainRewriter(List<ScriptToken> tokens, ScriptTarget target, Set<String> outerLocals) {
        this.tokens = tokens;
        this.target = target;
        this.locals = LocalNames.of(tokens, outerLocals);
    }

    static String rewrite(String source, ScriptTarget target) {
        return rewrite(source, target, Set.of(), 0);
    }

    private static String rewrite(String source, ScriptTarget target, Set<String> locals, int nesting) {
        var rewriter = new ChainRewriter(ScriptReader.read(source), target, locals);
        rewriter.nesting = nesting;
        var text = rewriter.sequence("").strip();
        if (rewriter.at < rewriter.tokens.size()) {
            throw new ScriptProblem("expected an operator, found "
                    + rewriter.tokens.get(rewriter.at).text());
        }
        return text;
    }

    /** Values and operators up to a closing bracket, which is not consumed. */
    private String sequence(String close) {
        if (++nesting > NESTING_MAX) {
            throw new ScriptProblem("expected at most " + NESTING_MAX + " nested brackets");
        }
        var text = new StringBuilder();
        var afterValue = false;
        while (at < tokens.size()) {
            var token = tokens.get(at);
            if (token.kind() == Kind.PUNCTUATOR && isClosing(token.text())) {
                if (!token.is(close)) {
                    throw new ScriptProblem("found " + token.text() + " without its opening bracket");
                }
                break;
            }
            text.append(token.spaced() ? " " : "");
            if (!afterValue && isValueStart(token)) {
                text.append(isKey(close) ? key() : chain());
                afterValue = true;
            } else if (token.kind() == Kind.PUNCTUATOR && token.text().equals("{")) {
                text.append(group("{", "}"));
                afterValue = false;
            } else {
                if (afterValue && token.kind() != Kind.PUNCTUATOR && !token.isKeyword()) {
                    throw new ScriptProblem("expected an operator, found " + token.text());
                }
                text.append(token.text());
                at++;
                afterValue = token.is("++") || token.is("--");
            }
        }
        nesting--;
        return text.toString();
    }

    private static boolean isClosing(String text) {
        return text.equals(")") || text.equals("]") || text.equals("}");
    }

    private static boolean isValueStart(ScriptToken token) {
        return switch (token.kind()) {
            case NAME -> !token.isKeyword();
            case NUMBER, TEXT, TEMPLATE, REGEX -> true;
            case PUNCTUATOR -> token.is("(") || token.is("[") || token.is("{");
        };
    }

    /** True at the key of an object literal or of a destructuring pattern. */
    private boolean isKey(String close) {
        var next = at + 1;
        return close.equals("}")
                && next < tokens.size()
                && tokens.get(next).is(":")
                && tokens.get(at).kind() != Kind.PUNCTUATOR
                && (at == 0 || tokens.get(at - 1).is("{") || tokens.get(at - 1).is(","));
    }

    private String key() {
        return tokens.get(at++).text();
    }

    private String group(String open, String close) {
        at++;
        var inner = sequence(close);
        if (at >= tokens.size()) {
            throw new ScriptProblem("the bracket " + open + " is not closed");
        }
        var space = tokens.get(at).spaced() ? " " : "";
        at++;
        return open + inner + space + close;
    }

    private String chain() {
        var token = tokens.get(at);
        var isParameterList = token.is("(") && isArrowAhead();
        var isNew = at > 0
                && tokens.get(at - 1).kind() == Kind.NAME
                && tokens.get(at - 1).text().equals("new");
        String head;
        var isName = false;
        switch (token.kind()) {
            case NAME -> {
                at++;
                head = token.text();
                isName = true;
            }
            case PUNCTUATOR ->
                head = switch (token.text()) {
                    case "(" -> group("(", ")");
                    case "[" -> group("[", "]");
                    default -> group("{", "}");
                };
            case TEMPLATE -> {
                at++;
                head = template(token.text());
            }
            case NUMBER, TEXT, REGEX -> {
                at++;
                head = token.text();
            }
            default -> throw new ScriptProblem("expected a value, found " + token.text());
        }
        if (isParameterList || at < tokens.size() && tokens.get(at).is("=>")) {
            return head;
        }
        return print(head, isName, isNew, links());
    }

    /** True if the bracket group at the current position is followed by an arrow. */
    private boolean isArrowAhead() {
        var depth = 0;
        for (var index = at; index < tokens.size(); index++) {
            depth += tokens.get(index).is("(") ? 1 : 0;
            depth -= tokens.get(index).is(")") ? 1 : 0;
            if (depth == 0) {
                return index + 1 < tokens.size() && tokens.get(index + 1).is("=>");
            }
        }
        return false;
    }

    private List<ScriptLink> links() {
        var links = new ArrayList<ScriptLink>();
        while (at < tokens.size()) {
            var token = tokens.get(at);
            var isOptional = token.is("?.");
            if (isOptional || token.is(".")) {
                at++;
                var next = at < tokens.size() ? tokens.get(at) : new ScriptToken(Kind.PUNCTUATOR, "the end", false);
                if (next.kind() == Kind.NAME) {
                    at++;
                    links.add(new ScriptLink(next.text(), token.text() + next.text(), null));
                } else if (isOptional && (next.is("[") || next.is("("))) {
                    links.add(bracketed("?."));
                } else {
                    throw new ScriptProblem("expected the name of a member, found " + next.text());
                }
            } else if (token.is("[") || token.is("(")) {
                links.add(bracketed(""));
            } else {
                break;
            }
        }
        return links;
    }

    private ScriptLink bracketed(String prefix) {
        var start = at;
        if (tokens.get(at).is("(")) {
            var arguments = arguments();
            return new ScriptLink(null, prefix + "(" + String.join(", ", arguments) + ")", arguments);
        }
        var text = group("[", "]");
        var isLiteral = at - start == 3;
        var index = tokens.get(start + 1);
        var name = !isLiteral
                ? null
                : index.kind() == Kind.TEXT
                        ? unquoted(index.text())
                        : index.kind() == Kind.NUMBER ? index.text() : null;
        return new ScriptLink(name, prefix + text, null);
    }

    private List<String> arguments() {
        var arguments = new ArrayList<String>();
        at++;
        while (at < tokens.size() && !tokens.get(at).is(")")) {
            arguments.add(argument());
            if (at < tokens.size() && tokens.get(at).is(",")) {
                at++;
            }
        }
        if (at >= tokens.size()) {
            throw new ScriptProblem("the bracket ( is not closed");
        }
        at++;
        return arguments;
    }

    private String argument() {
        var depth = 0;
        var end = at;
        while (end < tokens.size()
                && (depth > 0 || !tokens.get(end).is(",") && !tokens.get(end).is(")"))) {
            depth += isOpening(tokens.get(end)) ? 1 : 0;
            depth -= tokens.get(end).kind() == Kind.PUNCTUATOR
                            && isClosing(tokens.get(end).text())
                    ? 1
                    : 0;
            end++;
        }
        var inner = new ChainRewriter(tokens.subList(at, end), target, locals);
        inner.nesting = nesting + 1;
        var text = inner.sequence("").strip();
        at = end;
        return text;
    }

    private static boolean isOpening(ScriptToken token) {
        return token.is("(") || token.is("[") || token.is("{");
    }

    /** Text of a literal without its quotes; escapes other than of quotes are kept. */
    static String unquoted(String literal) {
        return literal.substring(1, literal.length() - 1)
                .replace("\\'", "'")
                .replace("\\\"", "\"")
                .replace("\\\\", "\\");
    }

    private String template(String literal) {
        var text = new StringBuilder();
        for (var index = 0; index < literal.length(); index++) {
            if (literal.startsWith("${", index)) {
                var end = ScriptReader.endOfPlaceholder(literal, index + 2);
                text.append("${")
                        .append(rewrite(literal.substring(index + 2, end - 1), target, locals, nesting + 1))
                        .append('}');
                index = end - 1;
            } else if (literal.charAt(index) == '\\' && index + 1 < literal.length()) {
                text.append(literal, index, index + 2);
                index++;
            } else {
                text.append(literal.charAt(index));
            }
        }
        return text.toString();
    }

    private String print(String head, boolean isName, boolean isNew, List<ScriptLink> links) {
        var text = head;
        var first = 0;
        if (isName && !locals.contains(head) && !CONSTANTS.contains(head)) {
            var translated = target.head(head, links);
            text = translated.text();
            first = translated.links();
        }
        for (var index = first; index < links.size(); index++) {
            var link = links.get(index);
            var isMethod = link.name() != null
                    && index + 1 < links.size()
                    && links.get(index + 1).isCall();
            if (isMethod && !isNew && ValueMethods.isExtension(link.name())) {
                text = target.extension(text, link.name(), links.get(index + 1).arguments());
                index++;
            } else {
                text += link.text();
            }
        }
        return text;
    }
}
