package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.Tokeniser;
import io.millrace.sandbox.expression.syntax.Lexer;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Characters of a formula and the current position. A token counts as one character: the text inside its braces has no meaning for
 * the surrounding formula.
 */
final class FormulaReader {
    private static final int SOURCE_LENGTH_MAX = Lexer.SOURCE_LENGTH_MAX;

    private final String source;
    private final List<Tokeniser.Token> tokens;
    private final Map<Integer, Integer> tokenByStart = new HashMap<>();

    /** Position by quote from which on no quote is closed. Searched once, for any number of quotes. */
    private final Map<Character, Integer> unclosedFrom = new HashMap<>();

    private int at;

    FormulaReader(String source, List<Tokeniser.Token> tokens) {
        if (source.length() > SOURCE_LENGTH_MAX) {
            throw FormulaFailure.invalid();
        }
        this.source = source;
        this.tokens = tokens;
        for (var i = 0; i < tokens.size(); i++) {
            tokenByStart.put(tokens.get(i).start(), i);
        }
    }

    /** Skips white space; true if characters are left. */
    boolean skipSpace() {
        while (at < source.length() && JsText.isSpace(source.charAt(at))) {
            at++;
        }
        return at < source.length();
    }

    char peek() {
        return at < source.length() ? source.charAt(at) : 0;
    }

    boolean accept(String symbol) {
        var start = at;
        skipSpace();
        var isThere = source.startsWith(symbol, at);
        at = isThere ? at + symbol.length() : start;
        return isThere;
    }

    boolean acceptWord(String word) {
        skipSpace();
        var end = at + word.length();
        if (!source.startsWith(word, at) || end < source.length() && isNamePart(source.charAt(end))) {
            return false;
        }
        at = end;
        return true;
    }

    Optional<Integer> acceptToken() {
        var index = tokenAt(at);
        if (index < 0) {
            return Optional.empty();
        }
        at = tokens.get(index).end();
        return Optional.of(index);
    }

    private int tokenAt(int position) {
        return tokenByStart.getOrDefault(position, -1);
    }

    /** A name that begins here; empty text when none does. */
    String name() {
        var start = at;
        while (at < source.length() && isNamePart(source.charAt(at)) && (at > start || !isDigit(source.charAt(at)))) {
            at++;
        }
        return source.substring(start, at);
    }

    /** A number that begins here; NaN when none does. */
    double number() {
        var start = at;
        var isRadix = source.startsWith("0x", at) || source.startsWith("0b", at);
        at += isRadix ? 2 : 0;
        while (at < source.length() && isNumberPart(start, isRadix)) {
            at++;
        }
        return at == start ? Double.NaN : JsNumbers.parse(source.substring(start, at));
    }

    private boolean isNumberPart(int start, boolean isRadix) {
        var c = source.charAt(at);
        if (isRadix || isDigit(c)) {
            return !isRadix || Character.digit(c, 16) >= 0;
        }
        var isExponent = (c == 'e' || c == 'E') && at > start && isExponentBehind(at + 1);
        var isSign = (c == '+' || c == '-') && at > start && "eE".indexOf(source.charAt(at - 1)) >= 0;
        return c == '.' || isExponent || isSign;
    }

    private boolean isExponentBehind(int index) {
        var digit = index < source.length() && "+-".indexOf(source.charAt(index)) >= 0 ? index + 1 : index;
        return digit < source.length() && isDigit(source.charAt(digit));
    }

    FormulaSyntax quoted() {
        var quote = source.charAt(at);
        var end = endOfQuoted(at);
        if (end < 0) {
            throw FormulaFailure.invalid();
        }
        var text = text(at + 1, end - 1, quote);
        at = end;
        return text;
    }

    /** An inline list of objects, as JSON; empty if there is none here. */
    Optional<JsonNode> jsonList() {
        var inside = at + 1;
        while (inside < source.length() && (source.charAt(inside) == ' ' || source.charAt(inside) == '\t')) {
            inside++;
        }
        if (inside >= source.length() || source.charAt(inside) != '{' || tokenAt(inside) >= 0) {
            return Optional.empty();
        }
        var end = endOfList();
        try {
            var list = Optional.of(Json.parse(source.substring(at, end))).filter(JsonNode::isArray);
            at = list.isPresent() ? end : at;
            return list;
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    private int endOfList() {
        var depth = 0;
        for (var i = at; i < source.length(); i = next(i)) {
            depth += source.charAt(i) == '[' ? 1 : source.charAt(i) == ']' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return source.length();
    }

    /** End of the argument that begins here: a separator or a parenthesis that belongs to the call. */
    int endOfArgument() {
        var depth = 0;
        var i = at;
        while (i < source.length()) {
            var c = source.charAt(i);
            if (depth == 0 && (c == ';' || c == ')') && tokenAt(i) < 0) {
                return i;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            i = next(i);
        }
        throw FormulaFailure.invalid();
    }

    String argument(int end) {
        return JsText.trim(source.substring(at, end));
    }

    FormulaSyntax bareText(int end) {
        var text = text(at, end, (char) 0);
        at = end;
        return text;
    }

    /** True if a token or an inline list of objects begins the argument: then it is not bare text. */
    boolean beginsWithValue() {
        var start = at;
        skipSpace();
        var isValue = tokenAt(at) >= 0 || peek() == '[' && jsonList().isPresent();
        at = start;
        return isValue;
    }

    private int next(int index) {
        var token = tokenAt(index);
        if (token >= 0) {
            return tokens.get(token).end();
        }
        var c = source.charAt(index);
        var close = c == '"' || c == '\'' ? endOfQuoted(index) : -1;
        return close < 0 ? index + 1 : close;
    }

    /** Index after the closing quote; -1 when there is none, so that an apostrophe is just a character. */
    private int endOfQuoted(int open) {
        var quote = source.charAt(open);
        if (open >= unclosedFrom.getOrDefault(quote, Integer.MAX_VALUE)) {
            return -1;
        }
        var i = open + 1;
        while (i < source.length() && source.charAt(i) != quote) {
            var token = tokenAt(i);
            i = token >= 0 ? tokens.get(token).end() : source.charAt(i) == '\\' ? i + 2 : i + 1;
        }
        if (i >= source.length()) {
            unclosedFrom.put(quote, open);
            return -1;
        }
        return i + 1;
    }

    /** A text with the tokens inside it; escapes are read when it is quoted. */
    private FormulaSyntax text(int start, int end, char quote) {
        var texts = new ArrayList<String>();
        var first = -1;
        var from = start;
        for (var i = 0; i < tokens.size(); i++) {
            var token = tokens.get(i);
            if (token.start() >= start && token.end() <= end) {
                first = first < 0 ? i : first;
                texts.add(piece(from, token.start(), quote));
                from = token.end();
            }
        }
        var last = piece(from, end, quote);
        if (first < 0) {
            return new FormulaSyntax.Constant(TextNode.valueOf(last));
        }
        texts.add(last);
        return new FormulaSyntax.Inserted(List.copyOf(texts), first);
    }

    private String piece(int start, int end, char quote) {
        var raw = source.substring(start, end);
        return quote == 0 ? raw : unescaped(raw);
    }

    private static String unescaped(String raw) {
        var result = new StringBuilder(raw.length());
        for (var i = 0; i < raw.length(); i++) {
            var c = raw.charAt(i);
            if (c != '\\') {
                result.append(c);
                continue;
            }
            var escape = ++i < raw.length() ? raw.charAt(i) : 0;
            switch (escape) {
                case '\'', '"', '\\', '/' -> result.append(escape);
                case 'b' -> result.append('\b');
                case 'f' -> result.append('\f');
                case 'n' -> result.append('\n');
                case 'r' -> result.append('\r');
                case 't' -> result.append('\t');
                case 'u' -> {
                    result.append(codeUnit(raw, i + 1));
                    i += 4;
                }
                default -> throw FormulaFailure.invalid();
            }
        }
        return result.toString();
    }

    private static char codeUnit(String raw, int start) {
        try {
            return (char) Integer.parseInt(raw.substring(start, start + 4), 16);
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            throw FormulaFailure.invalid();
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNamePart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || isDigit(c);
    }
}
