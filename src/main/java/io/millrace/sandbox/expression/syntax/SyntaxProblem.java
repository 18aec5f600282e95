package io.millrace.sandbox.expression.syntax;

public final class SyntaxProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int position;
    private final SyntaxIssue.Kind kind;

    private SyntaxProblem(int position, String message, SyntaxIssue.Kind kind) {
        super(message, null, false, false);
        this.position = position;
        this.kind = kind;
    }

    public static SyntaxProblem at(int position, String message) {
        return new SyntaxProblem(position, message, SyntaxIssue.Kind.SYNTAX);
    }

    public static SyntaxProblem expected(String expected, Lexeme found) {
        return at(found.start(), "expected " + expected + ", but found " + found.description());
    }

    public static SyntaxProblem beyond(int position, String construct) {
        return new SyntaxProblem(
                position, "expected an expression, but found " + construct, SyntaxIssue.Kind.BEYOND_GRAMMAR);
    }

    public boolean isBeyondGrammar() {
        return kind == SyntaxIssue.Kind.BEYOND_GRAMMAR;
    }

    public SyntaxIssue in(String token) {
        return new SyntaxIssue(token, position, getMessage(), kind);
    }
}
