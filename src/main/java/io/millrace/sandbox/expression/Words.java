package io.millrace.sandbox.expression;

import java.util.List;

/** The parser's place among the words, and how deep it stands. */
final class Words {
    /** Deepest nesting of an expression; keeps the thread's stack safe. */
    static final int NESTING_MAX = 120;

    private final List<Lexeme> lexemes;
    private int at;
    private int nesting;

    Words(List<Lexeme> lexemes) {
        this.lexemes = lexemes;
    }

    Lexeme peek() {
        return lexemes.get(at);
    }

    /** The word behind the next one; the end repeats itself. */
    Lexeme peekSecond() {
        return lexemes.get(Math.min(at + 1, lexemes.size() - 1));
    }

    Lexeme next() {
        var lexeme = lexemes.get(at);
        if (lexeme.kind() != Lexeme.Kind.END) {
            at++;
        }
        return lexeme;
    }

    boolean accept(String punctuator) {
        if (peek().is(punctuator)) {
            at++;
            return true;
        }
        return false;
    }

    void expect(String punctuator) {
        if (!accept(punctuator)) {
            throw SyntaxProblem.expected("'" + punctuator + "'", peek());
        }
    }

    void enter() {
        if (++nesting > NESTING_MAX) {
            throw SyntaxProblem.at(
                    peek().start(), "expected at most " + NESTING_MAX + " levels of nesting, but found more");
        }
    }

    void leave() {
        nesting--;
    }
}
