package io.millrace.sandbox.expression.formula;

import static io.millrace.sandbox.expression.formula.FormulaFunction.add;
import static io.millrace.sandbox.expression.formula.FormulaFunction.truth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.Map;

/** The logic functions (contract flows-and-engine 32.2); {@code if} is the parser's, because it is lazy. */
final class FormulaLogic {
    private static final TextNode EMPTY = TextNode.valueOf("");

    private FormulaLogic() {}

    static void addTo(Map<String, FormulaFunction> table) {
        add(table, "if", "vtt", (_, _) -> {
            throw FormulaFailure.wrongNumberOfValues();
        });
        add(
                table,
                "if_empty",
                "tt",
                (_, arguments) -> isEmpty(arguments.at(0)) || isUndefinedText(arguments.at(0))
                        ? arguments.at(1)
                        : arguments.at(0));
        add(
                table,
                "if_null",
                "tt",
                (_, arguments) -> JsValues.isNullish(arguments.at(0)) || isUndefinedText(arguments.at(0))
                        ? arguments.at(1)
                        : arguments.at(0));
        add(table, "switch", "t", FormulaLogic::choose);
        add(table, "is_empty", "t", (_, arguments) -> truth(isEmpty(arguments.at(0))));
        add(table, "is_not_empty", "t", (_, arguments) -> truth(!isEmpty(arguments.at(0))));
        add(
                table,
                "is_equal",
                "tt",
                (evaluator, arguments) ->
                        truth(JsValues.looselyEqual(arguments.at(0), arguments.at(1), evaluator.meter())));
        add(
                table,
                "and",
                "vv",
                (_, arguments) -> truth(JsValues.isTruthy(arguments.at(0)) && JsValues.isTruthy(arguments.at(1))));
        add(
                table,
                "or",
                "vv",
                (_, arguments) -> truth(JsValues.isTruthy(arguments.at(0)) || JsValues.isTruthy(arguments.at(1))));
        add(table, "not", "v", (_, arguments) -> truth(!JsValues.isTruthy(arguments.at(0))));
        add(
                table,
                "coalesce",
                "t",
                (_, arguments) -> arguments.all().stream()
                        .filter(value -> !isEmpty(value))
                        .findFirst()
                        .orElse(EMPTY));
    }

    private static boolean isEmpty(JsonNode value) {
        return JsValues.isNullish(value)
                || value.isTextual() && value.textValue().isEmpty();
    }

    /** True for the text {@code undefined}, which careless conversions make of a missing value. */
    private static boolean isUndefinedText(JsonNode value) {
        return value.isTextual() && value.textValue().equals("undefined");
    }

    /** A value, then pairs of case and result, then perhaps a default. */
    private static JsonNode choose(Evaluator evaluator, Arguments arguments) {
        var size = arguments.size();
        for (var at = 1; at + 1 < size; at += 2) {
            if (JsValues.looselyEqual(arguments.at(at), arguments.at(0), evaluator.meter())) {
                return arguments.at(at + 1);
            }
        }
        return size > 0 && size % 2 == 0 ? arguments.at(size - 1) : EMPTY;
    }
}
