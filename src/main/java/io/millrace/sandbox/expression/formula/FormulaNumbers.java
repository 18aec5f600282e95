package io.millrace.sandbox.expression.formula;

import static io.millrace.sandbox.expression.formula.FormulaFunction.add;
import static io.millrace.sandbox.expression.formula.FormulaFunction.numberOr;
import static io.millrace.sandbox.expression.formula.FormulaFunction.textOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.NumberText;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** The number functions (contract flows-and-engine 32.2); arguments are converted as JavaScript's Number does. */
final class FormulaNumbers {
    private FormulaNumbers() {}

    static void addTo(Map<String, FormulaFunction> table) {
        ofTwo(table, "add", Double::sum);
        ofTwo(table, "subtract", (first, second) -> first - second);
        ofTwo(table, "multiply", (first, second) -> first * second);
        ofTwo(table, "divide", FormulaNumbers::quotient);
        ofTwo(table, "percentage", (value, total) -> quotient(value, total) * 100);
        ofTwo(table, "min", Math::min);
        ofTwo(table, "max", Math::max);
        ofOne(table, "round_up", Math::ceil);
        ofOne(table, "round_down", Math::floor);
        ofOne(table, "absolute", Math::abs);
        add(table, "round", "vv", FormulaNumbers::round);
        add(table, "format_number", "vv", FormulaNumbers::format);
        add(
                table,
                "format_currency",
                "vt",
                (evaluator, arguments) -> evaluator.made(
                        textOr(evaluator, arguments, 1, "$") + NumberText.fixed(arguments.number(evaluator, 0), 2)));
        add(
                table,
                "cents_to_dollars",
                "v",
                (evaluator, arguments) ->
                        TextNode.valueOf("$" + NumberText.fixed(arguments.number(evaluator, 0) / 100, 2)));
        add(table, "to_number", "t", (evaluator, arguments) -> JsNumbers.node(arguments.number(evaluator, 0)));
    }

    private static void ofOne(Map<String, FormulaFunction> table, String name, DoubleUnaryOperator function) {
        add(
                table,
                name,
                "v",
                (evaluator, arguments) -> JsNumbers.node(function.applyAsDouble(arguments.number(evaluator, 0))));
    }

    private static void ofTwo(Map<String, FormulaFunction> table, String name, DoubleBinaryOperator function) {
        add(
                table,
                name,
                "vv",
                (evaluator, arguments) -> JsNumbers.node(
                        function.applyAsDouble(arguments.number(evaluator, 0), arguments.number(evaluator, 1))));
    }

    private static double quotient(double dividend, double divisor) {
        if (divisor == 0) {
            throw FormulaFailure.divisionByZero();
        }
        return dividend / divisor;
    }

    private static JsonNode round(Evaluator evaluator, Arguments arguments) {
        var decimals = (int) JsNumbers.integer(numberOr(evaluator, arguments, 1, 0));
        return JsNumbers.node(JsNumbers.parse(NumberText.fixed(arguments.number(evaluator, 0), decimals)));
    }

    private static JsonNode format(Evaluator evaluator, Arguments arguments) {
        var decimals = (int) JsNumbers.integer(numberOr(evaluator, arguments, 1, 0));
        return TextNode.valueOf(NumberText.grouped(arguments.number(evaluator, 0), decimals));
    }
}
