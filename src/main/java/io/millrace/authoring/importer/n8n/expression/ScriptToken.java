package io.millrace.authoring.importer.n8n.expression;

/**
 * Lexical element of JavaScript.
 *
 * @param spaced true if white space or a comment precedes it
 */
record ScriptToken(Kind kind, String text, boolean spaced) {
    /** Kind of a token. */
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
}
