package io.millrace.sandbox.expression.syntax;

final class TextReader {
    private final String source;
    private final StringBuilder value = new StringBuilder();
    private int at;

    TextReader(String source, int start) {
        this.source = source;
        this.at = start;
    }

    /**
     * A piece of text.
     *
     * @param end index after the closing mark
     * @param valueFollows true if the piece ended at the start of a template value
     */
    record Fragment(String value, int end, boolean valueFollows) {}

    Fragment readQuoted(char quote) {
        while (at < source.length()) {
            var c = source.charAt(at);
            if (c == quote) {
                return new Fragment(value.toString(), at + 1, false);
            }
            if (c == '\n' || c == '\r') {
                break;
            }
            readCharacter(c);
        }
        throw SyntaxProblem.at(Math.min(at, source.length()), "expected " + quote + " at the end of the text");
    }

    Fragment readTemplatePiece() {
        while (at < source.length()) {
            var c = source.charAt(at);
            if (c == '`') {
                return new Fragment(value.toString(), at + 1, false);
            }
            if (source.startsWith("${", at)) {
                return new Fragment(value.toString(), at + 2, true);
            }
            readCharacter(c);
        }
        throw SyntaxProblem.at(source.length(), "expected ` at the end of the template text");
    }

    private void readCharacter(char c) {
        at++;
        if (c == '\\' && at < source.length()) {
            readEscape(source.charAt(at++));
        } else {
            value.append(c);
        }
    }

    private void readEscape(char c) {
        switch (c) {
            case 'n' -> value.append('\n');
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case 'v' -> value.append('\u000b');
            case '0' -> value.append('\0');
            case 'x' -> value.append((char) readHex(at, at + 2));
            case 'u' -> readUnicode();
            case '\n', '\u2028', '\u2029' -> {}
            case '\r' -> at += source.startsWith("\n", at) ? 1 : 0;
            default -> value.append(c);
        }
    }

    private void readUnicode() {
        if (!source.startsWith("{", at)) {
            value.append((char) readHex(at, at + 4));
            return;
        }
        var close = source.indexOf('}', at);
        if (close < 0 || close > at + 9) {
            throw SyntaxProblem.at(at, "expected a code point in braces");
        }
        var codePoint = readHex(at + 1, close);
        if (!Character.isValidCodePoint(codePoint)) {
            throw SyntaxProblem.at(at, "expected a code point up to 10FFFF");
        }
        value.appendCodePoint(codePoint);
        at = close + 1;
    }

    private int readHex(int from, int to) {
        if (to > source.length() || from == to) {
            throw SyntaxProblem.at(at, "expected hexadecimal digits");
        }
        var result = 0;
        for (var i = from; i < to; i++) {
            var c = source.charAt(i);
            var digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw SyntaxProblem.at(i, "expected a hexadecimal digit");
            }
            result = result * 16 + digit;
        }
        at = to;
        return result;
    }
}
