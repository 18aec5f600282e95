package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.Map;
import java.util.function.DoublePredicate;

final class NumberGlobal {
    static final JsonNode PARSE_FLOAT = Functions.of("parseFloat", (evaluator, arguments) -> {
        var text = evaluator.text(arguments.at(0));
        evaluator.meter().scan(text.length());
        return JsNumbers.node(JsNumbers.parsePrefix(text));
    });

    static final JsonNode PARSE_INT = Functions.of("parseInt", (evaluator, arguments) -> {
        var text = evaluator.text(arguments.at(0));
        evaluator.meter().scan(text.length());
        return JsNumbers.node(JsNumbers.parseInteger(text, JsNumbers.int32(arguments.number(evaluator, 1))));
    });

    private NumberGlobal() {}

    static JsonNode value() {
        return Functions.namespace(
                "Number",
                (evaluator, arguments) -> JsNumbers.node(arguments.size() == 0 ? 0 : arguments.number(evaluator, 0)),
                Map.of(
                        "parseFloat", PARSE_FLOAT,
                        "parseInt", PARSE_INT,
                        "isInteger", test("isInteger", value -> value == Math.rint(value) && Double.isFinite(value)),
                        "isSafeInteger",
                                test(
                                        "isSafeInteger",
                                        value -> value == Math.rint(value)
                                                && Math.abs(value) <= JsNumbers.SAFE_INTEGER_MAX),
                        "isFinite", test("isFinite", Double::isFinite),
                        "isNaN", test("isNaN", Double::isNaN),
                        "MAX_SAFE_INTEGER", JsNumbers.node(JsNumbers.SAFE_INTEGER_MAX),
                        "MIN_SAFE_INTEGER", JsNumbers.node(-JsNumbers.SAFE_INTEGER_MAX),
                        "MAX_VALUE", JsNumbers.node(Double.MAX_VALUE),
                        "EPSILON", JsNumbers.node(Math.ulp(1.0))));
    }

    /** A test that is false for all values but numbers, without conversion. */
    private static JsonNode test(String name, DoublePredicate predicate) {
        return Functions.of(
                name,
                (_, arguments) -> BooleanNode.valueOf(arguments.at(0).isNumber()
                        && predicate.test(arguments.at(0).doubleValue())));
    }
}
