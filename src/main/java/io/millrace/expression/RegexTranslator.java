package io.millrace.expression;

/** Writes a JavaScript regular expression in Java's dialect; they differ in classes, braces and a few escapes. */
final class RegexTranslator {
    /** Escapes by a letter that mean the same in both dialects. */
    private static final String COMMON_ESCAPES = "dDwWbBtnrfkpPuxc";

    private static final String SPACE =
            "\\t\\n\\x0B\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

    private final String source;
    private final boolean multiline;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private boolean inClass;

    private RegexTranslator(String source, boolean multiline) {
        this.source = source;
        this.multiline = multiline;
    }

    static String translate(String source, boolean multiline) {
        var translator = new RegexTranslator(source, multiline);
        while (translator.at < source.length()) {
            translator.step();
        }
        return translator.out.toString();
    }

    private void step() {
        var c = source.charAt(at++);
        if (c == '\\') {
            escape();
        } else if (inClass) {
            insideClass(c);
        } else {
            outsideClass(c);
        }
    }

    private void outsideClass(char c) {
        switch (c) {
            case '[' -> openClass();
            case '$' -> out.append(multiline ? "$" : "\\z");
            case '{' -> out.append(isQuantifier() ? "{" : "\\{");
            case '#' -> out.append("\\#");
            default -> out.append(c);
        }
    }

    private void insideClass(char c) {
        switch (c) {
            case ']' -> {
                inClass = false;
                out.append(']');
            }
            case '[', '&', '^', '~' -> out.append('\\').append(c);
            default -> out.append(c);
        }
    }

    /** {@code []} matches nothing and {@code [^]} anything; Java would read on for the closing bracket. */
    private void openClass() {
        if (source.startsWith("]", at)) {
            at++;
            out.append("(?!)");
        } else if (source.startsWith("^]", at)) {
            at += 2;
            out.append("[\\s\\S]");
        } else {
            inClass = true;
            out.append('[');
            if (source.startsWith("^", at)) {
                at++;
                out.append('^');
            }
        }
    }

    private boolean isQuantifier() {
        var i = at;
        while (i < source.length() && (Character.isDigit(source.charAt(i)) || source.charAt(i) == ',')) {
            i++;
        }
        return i > at && source.charAt(at) != ',' && i < source.length() && source.charAt(i) == '}';
    }

    private void escape() {
        if (at >= source.length()) {
            throw JsError.syntax("\\ at the end of the regular expression");
        }
        var c = source.charAt(at++);
        switch (c) {
            case 's' -> out.append(inClass ? SPACE : "[" + SPACE + "]");
            case 'S' -> out.append("[^").append(SPACE).append(']');
            case 'v' -> out.append("\\x0B");
            case '0' -> out.append("\\x00");
            case 'b' -> out.append(inClass ? "\\x08" : "\\b");
            case 'u', 'p', 'P', 'x' -> named(c);
            default -> plainEscape(c);
        }
    }

    /** An escape that may name a code point or a property in braces, which are not those of a quantifier. */
    private void named(char c) {
        var close = source.startsWith("{", at) ? source.indexOf('}', at) : -1;
        if (close < 0) {
            plainEscape(c);
            return;
        }
        out.append(c == 'u' ? "\\x" : "\\" + c).append(source, at, close + 1);
        at = close + 1;
    }

    private void plainEscape(char c) {
        var isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
        if (!isLetter || COMMON_ESCAPES.indexOf(c) >= 0) {
            out.append('\\');
        }
        out.append(c);
    }
}
