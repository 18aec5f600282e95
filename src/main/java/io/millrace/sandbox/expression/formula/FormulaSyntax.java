package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Syntax tree of a formula. Immutable, so that one parse serves every run. */
sealed interface FormulaSyntax {
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

    record Member(FormulaSyntax object, FormulaSyntax key) implements FormulaSyntax {}

    record ListLiteral(List<FormulaSyntax> elements) implements FormulaSyntax {}

    record Prefix(String operator, FormulaSyntax operand) implements FormulaSyntax {}

    record Infix(String operator, FormulaSyntax left, FormulaSyntax right) implements FormulaSyntax {}

    /** {@code test ? whenTrue : whenFalse}, and {@code if(test; whenTrue; whenFalse)}. */
    record Conditional(FormulaSyntax test, FormulaSyntax whenTrue, FormulaSyntax whenFalse) implements FormulaSyntax {}

    record Call(FormulaFunction function, List<FormulaSyntax> arguments) implements FormulaSyntax {}
}
