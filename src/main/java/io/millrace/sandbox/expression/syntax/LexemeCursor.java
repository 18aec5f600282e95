package io.millrace.sandbox.expression.syntax;

import java.util.List;

public final class LexemeCursor {
    /** Deepest nesting of an expression; keeps the thread's stack safe. */
    public static final int NESTING_MAX = 120;

    private final List<Lexeme> lexemes;
    private int at;
    private int nesting;

    public LexemeCursor(List<Lexeme> lexemes) {
        this.lexemes = lexemes;
    }

    public Lexeme peek() {
        return lexemes.get(at);
    }

    /** Lexeme after the next one; at the end, the last one. */
    public Lexeme peekSecond() {
        return lexemes.get(Math.min(at + 1, lexemes.size() - 1));
    }

    public Lexeme next() {
        var lexeme = lexemes.get(at);
        if (lexeme.kind() != Lexeme.Kind.END) {
            at++;
        }
        return lexeme;
    }

    public boolean accept(String punctuator) {
        if (peek().is(punctuator)) {
            at++;
            return true;
        }
        return false;
    }

    public void expect(String punctuator) {
        if (!accept(punctuator)) {
            throw SyntaxProblem.expected("'" + punctuator + "'", peek());
        }
    }

    public void enter() {
        if (++nesting > NESTING_MAX) {
            throw SyntaxProblem.at(
                    peek().start(), "expected at most " + NESTING_MAX + " levels of nesting, but found more");
        }
    }

    public void leave() {
        nesting--;
    }
}
