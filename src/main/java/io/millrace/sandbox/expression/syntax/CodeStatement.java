package io.millrace.sandbox.expression.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a code step. Immutable, as {@link Syntax}. */
public sealed interface CodeStatement {
    record Declaration(boolean isConstant, Binding target, Syntax value) implements CodeStatement {}

    record Branch(Syntax test, List<CodeStatement> whenTrue, List<CodeStatement> whenFalse) implements CodeStatement {}

    record ForOf(Binding target, Syntax values, List<CodeStatement> body) implements CodeStatement {}

    /** Gives a variable a new value; with an operator, the result of its old value and the operand. */
    record Assignment(String name, @Nullable InfixOperator operator, Syntax operand) implements CodeStatement {}

    record MemberAssignment(
            String name, Syntax key, @Nullable InfixOperator operator, Syntax operand) implements CodeStatement {}

    record Call(Syntax expression) implements CodeStatement {}

    record Return(Syntax value) implements CodeStatement {}

    record Jump(boolean isBreak) implements CodeStatement {}
}
