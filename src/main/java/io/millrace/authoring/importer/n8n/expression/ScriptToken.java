package io.millrace.authoring.importer.n8n.expression;

import java.util.Set;

/**
 * Lexical element of JavaScript.
 *
 * @param spaced true if white space or a comment precedes it
 */
record ScriptToken(Kind kind, String text, boolean spaced) {
    private static final Set<String> KEYWORDS = Set.of(
            "return",
            "const",
            "let",
            "var",
            "if",
            "else",
            "for",
            "of",
            "in",
            "typeof",
            "new",
            "instanceof",
            "void",
            "delete",
            "function",
            "throw",
            "await",
            "async",
            "case",
            "switch",
            "while",
            "do",
            "break",
            "continue",
            "try",
            "catch",
            "finally",
            "default");

    enum Kind {
        NAME,
        NUMBER,
        TEXT,
        TEMPLATE,
        REGEX,
        PUNCTUATOR
    }

    boolean is(String punctuator) {
        return kind == Kind.PUNCTUATOR && text.equals(punctuator);
    }

    /** True if the text is a keyword that is no value. */
    boolean isKeyword() {
        return KEYWORDS.contains(text);
    }
}
