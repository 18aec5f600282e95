package io.millrace.sandbox.expression.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a code step. Immutable, as {@link Syntax}. */
public sealed interface CodeStatement {
    /** A variable or a function with its initial value. */
    record Declaration(boolean isConstant, Binding target, Syntax value) implements CodeStatement {}

    /** A condition with the statements of both sides. */
    record Branch(Syntax test, List<CodeStatement> whenTrue, List<CodeStatement> whenFalse) implements CodeStatement {}

    /** Repeats statements for each element of a list. */
    record ForOf(Binding target, Syntax values, List<CodeStatement> body) implements CodeStatement {}

    /** Gives a variable a new value; with an operator, the result of its old value and the operand. */
    record Assignment(String name, @Nullable InfixOperator operator, Syntax operand) implements CodeStatement {}

    /** Gives a member of a variable's value a new value. */
    record MemberAssignment(
            String name, Syntax key, @Nullable InfixOperator operator, Syntax operand) implements CodeStatement {}

    /** An expression whose value is dropped. */
    record Call(Syntax expression) implements CodeStatement {}

    /** The end of the function. */
    record Return(Syntax value) implements CodeStatement {}

    /** The end of a repetition, or of the whole loop. */
    record Jump(boolean isBreak) implements CodeStatement {}
}
