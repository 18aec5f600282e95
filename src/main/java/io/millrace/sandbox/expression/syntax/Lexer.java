package io.millrace.sandbox.expression.syntax;

import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Cuts an expression into words. Reads once from left to right, without recursion. */
public final class Lexer {
    public static final int SOURCE_LENGTH_MAX = 100_000;

    /** Longest first, so that the longest match wins. */
    private static final List<String> PUNCTUATORS = List.of(
            ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=",
            "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "{",
            "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":",
            "=", ".", "@", "#");

    private final String source;
    private final List<Lexeme> lexemes = new ArrayList<>();

    /** Number of open braces around each open template value. */
    private final Deque<Integer> enclosingBraces = new ArrayDeque<>();

    private int braces;
    private int at;

    public Lexer(String source) {
        this.source = source;
    }

    /** All words; the last one is the end. */
    public List<Lexeme> read() {
        if (source.length() > SOURCE_LENGTH_MAX) {
            throw SyntaxProblem.at(
                    SOURCE_LENGTH_MAX, "expected at most " + SOURCE_LENGTH_MAX + " characters, but found more");
        }
        skipBlank();
        while (at < source.length()) {
            readOne();
            skipBlank();
        }
        if (!enclosingBraces.isEmpty()) {
            throw SyntaxProblem.at(at, "expected '}' of a template value, but found the end");
        }
        lexemes.add(new Lexeme(Lexeme.Kind.END, "", "", 0, at, at));
        return lexemes;
    }

    private void readOne() {
        var c = source.charAt(at);
        if (Character.isUnicodeIdentifierStart(c) || c == '$' || c == '_') {
            readName();
        } else if (isDigit(c) || c == '.' && at + 1 < source.length() && isDigit(source.charAt(at + 1))) {
            readNumber();
        } else if (c == '"' || c == '\'') {
            var text = new TextReader(source, at + 1).readQuoted(c);
            add(Lexeme.Kind.TEXT, text.value(), text.end());
        } else if (c == '`') {
            readTemplate(Lexeme.Kind.TEMPLATE_HEAD, Lexeme.Kind.TEMPLATE_WHOLE);
        } else if (c == '}' && braces == 0 && !enclosingBraces.isEmpty()) {
            braces = enclosingBraces.pop();
            readTemplate(Lexeme.Kind.TEMPLATE_MIDDLE, Lexeme.Kind.TEMPLATE_TAIL);
        } else if (c == '/' && mayStartRegex()) {
            readRegex();
        } else {
            readPunctuator();
        }
    }

    private void add(Lexeme.Kind kind, String text, int end) {
        lexemes.add(new Lexeme(kind, text, "", 0, at, end));
        at = end;
    }

    private void readName() {
        var end = at + 1;
        while (end < source.length() && isNamePart(source.charAt(end))) {
            end++;
        }
        add(Lexeme.Kind.NAME, source.substring(at, end), end);
    }

    private void readTemplate(Lexeme.Kind whenValueFollows, Lexeme.Kind whenClosed) {
        var piece = new TextReader(source, at + 1).readTemplatePiece();
        add(piece.valueFollows() ? whenValueFollows : whenClosed, piece.value(), piece.end());
        if (piece.valueFollows()) {
            enclosingBraces.push(braces);
            braces = 0;
        }
    }

    private void readPunctuator() {
        for (var punctuator : PUNCTUATORS) {
            if (source.startsWith(punctuator, at) && !isConditionalBeforeNumber(punctuator)) {
                braces += punctuator.equals("{") ? 1 : punctuator.equals("}") ? -1 : 0;
                add(Lexeme.Kind.PUNCTUATOR, punctuator, at + punctuator.length());
                return;
            }
        }
        throw SyntaxProblem.at(
                at, "expected an expression, but found the character U+%04X".formatted(source.codePointAt(at)));
    }

    /** True for the question mark in {@code a?.5:1}, which is a conditional operator. */
    private boolean isConditionalBeforeNumber(String punctuator) {
        return punctuator.equals("?.") && at + 2 < source.length() && isDigit(source.charAt(at + 2));
    }

    /** A slash divides after a value, and starts a regular expression anywhere else. */
    private boolean mayStartRegex() {
        if (lexemes.isEmpty()) {
            return true;
        }
        var last = lexemes.getLast();
        return switch (last.kind()) {
            case NUMBER, TEXT, TEMPLATE_WHOLE, TEMPLATE_TAIL, REGEX -> false;
            case NAME ->
                last.text().equals("typeof")
                        || last.text().equals("in")
                        || last.text().equals("return");
            case PUNCTUATOR -> !(last.is(")") || last.is("]") || last.is("}"));
            case TEMPLATE_HEAD, TEMPLATE_MIDDLE, END -> true;
        };
    }

    private void readRegex() {
        var inClass = false;
        var end = at + 1;
        while (end < source.length() && (inClass || source.charAt(end) != '/')) {
            var c = source.charAt(end);
            if (c == '\n' || c == '\r') {
                break;
            }
            inClass = c == '[' || inClass && c != ']';
            end += c == '\\' ? 2 : 1;
        }
        if (end >= source.length() || source.charAt(end) != '/') {
            throw SyntaxProblem.at(at, "expected '/' at the end of the regular expression, but found none");
        }
        var flagsEnd = end + 1;
        while (flagsEnd < source.length() && isNamePart(source.charAt(flagsEnd))) {
            flagsEnd++;
        }
        var flags = source.substring(end + 1, flagsEnd);
        lexemes.add(new Lexeme(Lexeme.Kind.REGEX, source.substring(at + 1, end), flags, 0, at, flagsEnd));
        at = flagsEnd;
    }

    private void readNumber() {
        var end = at;
        while (end < source.length() && isNumberPart(end)) {
            end++;
        }
        var text = source.substring(at, end);
        if (text.endsWith("n") && text.length() > 1) {
            throw SyntaxProblem.beyond(at, "a big integer");
        }
        var value = JsNumbers.parse(text.replace("_", ""));
        var isLegacyOctal = text.length() > 1 && text.charAt(0) == '0' && isDigit(text.charAt(1));
        if (Double.isNaN(value) || text.endsWith("_") || text.contains("__") || isLegacyOctal) {
            throw SyntaxProblem.at(at, "expected a number, but found '" + text + "'");
        }
        lexemes.add(new Lexeme(Lexeme.Kind.NUMBER, text, "", value, at, end));
        at = end;
    }

    private boolean isNumberPart(int index) {
        var c = source.charAt(index);
        if (c == '.') {
            return source.indexOf('.', at) == index && !isHexLiteral();
        }
        if (c == '+' || c == '-') {
            var before = source.charAt(index - 1);
            return index > at && (before == 'e' || before == 'E') && !isHexLiteral();
        }
        return isNamePart(c);
    }

    private boolean isHexLiteral() {
        return source.regionMatches(true, at, "0x", 0, 2);
    }

    private void skipBlank() {
        while (at < source.length()) {
            if (JsText.isSpace(source.charAt(at))) {
                at++;
            } else if (source.startsWith("//", at)) {
                var end = source.indexOf('\n', at);
                at = end < 0 ? source.length() : end;
            } else if (source.startsWith("/*", at)) {
                var end = source.indexOf("*/", at + 2);
                if (end < 0) {
                    throw SyntaxProblem.at(at, "expected '*/' at the end of the comment, but found none");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private static boolean isNamePart(char c) {
        return Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c) || c == '$' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
