package io.millrace.sandbox.expression.syntax;

/**
 * A token that the grammar rejects.
 *
 * @param token inside of the token
 * @param position index in the token where reading stopped
 * @param message expected and found input
 * @param kind distinguishes wrong syntax from JavaScript beyond an expression
 */
public record SyntaxIssue(String token, int position, String message, Kind kind) {
    public enum Kind {
        SYNTAX,
        /** May well be JavaScript, but uses more than the expression grammar: statements, classes, assignments. */
        BEYOND_GRAMMAR
    }
}
