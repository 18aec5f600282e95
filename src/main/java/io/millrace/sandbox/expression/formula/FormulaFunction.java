package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.evaluator.Functions;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.Map;

/**
 * A function of the formula language (contract flows-and-engine 32.2).
 *
 * @param slots one letter for each parameter, the last one for all that follow: {@code t} takes an unquoted argument as
 *     text, {@code v} reads every argument as an expression
 */
record FormulaFunction(String name, String slots, Functions.Body body) {
    boolean takesText(int parameter) {
        return !slots.isEmpty() && slots.charAt(Math.min(parameter, slots.length() - 1)) == 't';
    }

    static void add(Map<String, FormulaFunction> table, String name, String slots, Functions.Body body) {
        table.put(name, new FormulaFunction(name, slots, body));
    }

    /** An argument as text; empty if it is missing or null. */
    static String text(Evaluator evaluator, Arguments arguments, int index) {
        return textOr(evaluator, arguments, index, "");
    }

    /** An argument as text; the default if it is missing or null. */
    static String textOr(Evaluator evaluator, Arguments arguments, int index, String whenAbsent) {
        var value = arguments.at(index);
        return JsValues.isNullish(value) ? whenAbsent : evaluator.text(value);
    }

    /** An argument as a number; the default if it is missing or null. */
    static double numberOr(Evaluator evaluator, Arguments arguments, int index, double whenAbsent) {
        return JsValues.isNullish(arguments.at(index)) ? whenAbsent : arguments.number(evaluator, index);
    }

    static JsonNode truth(boolean value) {
        return BooleanNode.valueOf(value);
    }
}
