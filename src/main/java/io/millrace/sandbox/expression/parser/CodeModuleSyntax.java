package io.millrace.sandbox.expression.parser;

import io.millrace.sandbox.expression.syntax.CodeStatement;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import java.util.List;
import java.util.Optional;

/**
 * Module of a code step.
 *
 * @param statements declarations beside the function, in order
 * @param code the function named {@code code}
 */
public record CodeModuleSyntax(List<CodeStatement> statements, Syntax.Arrow code) {
    /** Parses a module of declarations; empty when it has other statements or expressions than this grammar. */
    public static Optional<CodeModuleSyntax> of(String source) {
        try {
            return Optional.of(Parser.parseModule(source));
        } catch (SyntaxProblem beyond) {
            return Optional.empty();
        }
    }
}
