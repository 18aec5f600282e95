package io.millrace.authoring.importer.n8n.expression;

import io.millrace.authoring.importer.n8n.expression.ScriptToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Splits JavaScript into tokens. Template literals are one token with their placeholders inside. */
final class ScriptReader {
    private static final List<String> PUNCTUATORS = List.of(
            ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=",
            "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**");

    /** Names after which a slash begins a regular expression. */
    private static final Set<String> BEFORE_VALUE =
            Set.of("return", "typeof", "case", "in", "of", "new", "delete", "void", "throw", "else", "await");

    private final String source;
    private final List<ScriptToken> tokens = new ArrayList<>();
    private int at;

    private ScriptReader(String source) {
        this.source = source;
    }

    /** Tokens of the source. Fails with {@link ScriptProblem} for an unclosed text, template or comment. */
    static List<ScriptToken> read(String source) {
        var reader = new ScriptReader(source);
        while (reader.readNext()) {
            // Each call reads one token.
        }
        return reader.tokens;
    }

    private boolean readNext() {
        var spaced = skipSpace();
        if (at >= source.length()) {
            return false;
        }
        var start = at;
        var kind = kindAt();
        switch (kind) {
            case NAME -> {
                at++;
                skipWhile(ScriptReader::isNamePart);
            }
            case NUMBER -> number();
            case TEXT -> quoted(source.charAt(at));
            case TEMPLATE -> template();
            case REGEX -> regex();
            case PUNCTUATOR -> at += punctuator().length();
        }
        tokens.add(new ScriptToken(kind, source.substring(start, at), spaced));
        return true;
    }

    private Kind kindAt() {
        var c = source.charAt(at);
        if (Character.isJavaIdentifierStart(c)) {
            return Kind.NAME;
        }
        if (c >= '0' && c <= '9' || c == '.' && isDigit(at + 1)) {
            return Kind.NUMBER;
        }
        return switch (c) {
            case '"', '\'' -> Kind.TEXT;
            case '`' -> Kind.TEMPLATE;
            case '/' -> mayStartValue() ? Kind.REGEX : Kind.PUNCTUATOR;
            default -> Kind.PUNCTUATOR;
        };
    }

    private boolean isDigit(int index) {
        return index < source.length() && source.charAt(index) >= '0' && source.charAt(index) <= '9';
    }

    private boolean mayStartValue() {
        if (tokens.isEmpty()) {
            return true;
        }
        var last = tokens.getLast();
        return switch (last.kind()) {
            case NAME -> BEFORE_VALUE.contains(last.text());
            case NUMBER, TEXT, TEMPLATE, REGEX -> false;
            case PUNCTUATOR -> !last.is(")") && !last.is("]") && !last.is("}");
        };
    }

    private boolean skipSpace() {
        var start = at;
        while (at < source.length()) {
            var c = source.charAt(at);
            if (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff') {
                at++;
            } else if (source.startsWith("//", at)) {
                var end = source.indexOf('\n', at);
                at = end < 0 ? source.length() : end;
            } else if (source.startsWith("/*", at)) {
                var end = source.indexOf("*/", at + 2);
                if (end < 0) {
                    throw new ScriptProblem("a comment is not closed");
                }
                at = end + 2;
            } else {
                break;
            }
        }
        return at > start;
    }

    private static boolean isNamePart(char c) {
        return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    }

    private interface CharacterTest {
        boolean accepts(char c);
    }

    private void skipWhile(CharacterTest test) {
        while (at < source.length() && test.accepts(source.charAt(at))) {
            at++;
        }
    }

    private void number() {
        skipWhile(c -> isNamePart(c) || c == '.');
        var last = source.charAt(at - 1);
        var isHex = source.startsWith("0x", Math.max(0, tokenStart()));
        if (!isHex && (last == 'e' || last == 'E') && at < source.length() && "+-".indexOf(source.charAt(at)) >= 0) {
            at++;
            skipWhile(ScriptReader::isNamePart);
        }
    }

    private int tokenStart() {
        var start = at;
        while (start > 0 && (isNamePart(source.charAt(start - 1)) || source.charAt(start - 1) == '.')) {
            start--;
        }
        return start;
    }

    private void quoted(char quote) {
        at++;
        while (at < source.length() && source.charAt(at) != quote) {
            if (source.charAt(at) == '\n') {
                throw new ScriptProblem("a text is not closed");
            }
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        if (at >= source.length()) {
            throw new ScriptProblem("a text is not closed");
        }
        at++;
    }

    private void regex() {
        at++;
        var inClass = false;
        while (at < source.length() && (inClass || source.charAt(at) != '/')) {
            switch (source.charAt(at)) {
                case '\\' -> at++;
                case '[' -> inClass = true;
                case ']' -> inClass = false;
                case '\n' -> throw new ScriptProblem("a regular expression is not closed");
                default -> {}
            }
            at++;
        }
        if (at >= source.length()) {
            throw new ScriptProblem("a regular expression is not closed");
        }
        at++;
        skipWhile(ScriptReader::isNamePart);
    }

    private void template() {
        at++;
        while (at < source.length() && source.charAt(at) != '`') {
            if (source.startsWith("${", at)) {
                at = endOfPlaceholder(source, at + 2);
            } else {
                at += source.charAt(at) == '\\' ? 2 : 1;
            }
        }
        if (at >= source.length()) {
            throw new ScriptProblem("a template literal is not closed");
        }
        at++;
    }

    /** Position after the bracket that closes a placeholder of a template literal. */
    static int endOfPlaceholder(String source, int start) {
        var depth = 1;
        var quote = '\0';
        for (var index = start; index < source.length(); index++) {
            var c = source.charAt(index);
            if (quote != '\0') {
                index += c == '\\' ? 1 : 0;
                quote = c == quote ? '\0' : quote;
            } else if (c == '"' || c == '\'' || c == '`') {
                quote = c;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return index + 1;
            }
        }
        throw new ScriptProblem("a placeholder of a template literal is not closed");
    }

    private String punctuator() {
        // "a?.5:b" is a conditional, not an optional member.
        var isConditional = source.startsWith("?.", at) && isDigit(at + 2);
        return PUNCTUATORS.stream()
                .filter(symbol -> source.startsWith(symbol, at) && !(isConditional && symbol.equals("?.")))
                .findFirst()
                .orElseGet(() -> source.substring(at, at + 1));
    }
}
