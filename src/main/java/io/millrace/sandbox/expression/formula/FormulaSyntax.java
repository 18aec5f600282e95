package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Syntax tree of a formula. Immutable, so that one parse serves every run. */
sealed interface FormulaSyntax {
    /** A value in the source: a number, a quoted or bare text, an inline list of objects. */
    record Constant(JsonNode value) implements FormulaSyntax {}

    /** The value of a token, by its number among the formula's tokens. */
    record Token(int index) implements FormulaSyntax {}

    /**
     * A text with tokens inside: one text more than tokens.
     *
     * @param first number of the first token
     */
    record Inserted(List<String> texts, int first) implements FormulaSyntax {}

    /** A name that is neither a function nor a constant; a failure only where it is evaluated. */
    record Unknown(String name) implements FormulaSyntax {}

    /** {@code object.name} or {@code list[index]}. */
    record Member(FormulaSyntax object, FormulaSyntax key) implements FormulaSyntax {}

    /** A list literal. */
    record ListLiteral(List<FormulaSyntax> elements) implements FormulaSyntax {}

    /** A sign or {@code not} before an operand. */
    record Prefix(String operator, FormulaSyntax operand) implements FormulaSyntax {}

    /** An operator between two operands. */
    record Infix(String operator, FormulaSyntax left, FormulaSyntax right) implements FormulaSyntax {}

    /** {@code test ? whenTrue : whenFalse}, and {@code if(test; whenTrue; whenFalse)}. */
    record Conditional(FormulaSyntax test, FormulaSyntax whenTrue, FormulaSyntax whenFalse) implements FormulaSyntax {}

    /** A call of a function. */
    record Call(FormulaFunction function, List<FormulaSyntax> arguments) implements FormulaSyntax {}
}
