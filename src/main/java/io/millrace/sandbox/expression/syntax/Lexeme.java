package io.millrace.sandbox.expression.syntax;

/**
 * One word of an expression.
 *
 * @param text a name, a punctuator, the value of a text or template piece, or the pattern of a regular expression
 * @param flags of a regular expression; empty otherwise
 * @param number value of a number
 */
public record Lexeme(Kind kind, String text, String flags, double number, int start, int end) {
    /** Kind of a lexeme. A template literal without values is whole; one with values has a head, middles and a tail. */
    public enum Kind {
        NAME,
        NUMBER,
        TEXT,
        TEMPLATE_WHOLE,
        TEMPLATE_HEAD,
        TEMPLATE_MIDDLE,
        TEMPLATE_TAIL,
        REGEX,
        PUNCTUATOR,
        END
    }

    public boolean is(String punctuator) {
        return kind == Kind.PUNCTUATOR && text.equals(punctuator);
    }

    public boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    public String description() {
        return switch (kind) {
            case NAME, PUNCTUATOR -> "'" + text + "'";
            case NUMBER -> "a number";
            case TEXT -> "a text";
            case TEMPLATE_WHOLE, TEMPLATE_HEAD, TEMPLATE_MIDDLE, TEMPLATE_TAIL -> "a template text";
            case REGEX -> "a regular expression";
            case END -> "the end";
        };
    }
}
