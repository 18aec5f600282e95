package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

final class MathGlobal {
    private MathGlobal() {}

    static JsonNode value() {
        var members = new HashMap<String, JsonNode>();
        members.put("PI", JsNumbers.node(Math.PI));
        members.put("E", JsNumbers.node(Math.E));
        members.put("LN2", JsNumbers.node(Math.log(2)));
        members.put("LN10", JsNumbers.node(Math.log(10)));
        members.put("SQRT2", JsNumbers.node(Math.sqrt(2)));
        one(members, "abs", Math::abs);
        one(members, "ceil", Math::ceil);
        one(members, "floor", Math::floor);
        one(members, "round", MathGlobal::round);
        one(members, "trunc", value -> value < 0 ? Math.ceil(value) : Math.floor(value));
        one(members, "sign", Math::signum);
        one(members, "sqrt", Math::sqrt);
        one(members, "cbrt", Math::cbrt);
        one(members, "exp", Math::exp);
        one(members, "log", Math::log);
        one(members, "log10", Math::log10);
        one(members, "log2", MathGlobal::log2);
        one(members, "sin", Math::sin);
        one(members, "cos", Math::cos);
        one(members, "tan", Math::tan);
        one(members, "asin", Math::asin);
        one(members, "acos", Math::acos);
        one(members, "atan", Math::atan);
        fold(members, "min", Double.POSITIVE_INFINITY, Math::min);
        fold(members, "max", Double.NEGATIVE_INFINITY, Math::max);
        fold(members, "hypot", 0, Math::hypot);
        two(members, "pow", Operations::power);
        two(members, "atan2", Math::atan2);
        members.put(
                "random",
                Functions.of(
                        "random",
                        (evaluator, _) ->
                                JsNumbers.node(evaluator.scope().random().nextDouble())));
        return Functions.namespace("Math", null, Map.copyOf(members));
    }

    private static void one(Map<String, JsonNode> members, String name, DoubleUnaryOperator function) {
        members.put(
                name,
                Functions.of(
                        name,
                        (evaluator, arguments) ->
                                JsNumbers.node(function.applyAsDouble(arguments.number(evaluator, 0)))));
    }

    private static void two(Map<String, JsonNode> members, String name, DoubleBinaryOperator function) {
        members.put(
                name,
                Functions.of(
                        name,
                        (evaluator, arguments) -> JsNumbers.node(function.applyAsDouble(
                                arguments.number(evaluator, 0), arguments.number(evaluator, 1)))));
    }

    private static void fold(Map<String, JsonNode> members, String name, double start, DoubleBinaryOperator function) {
        members.put(name, Functions.of(name, (evaluator, arguments) -> {
            var result = start;
            for (var i = 0; i < arguments.size(); i++) {
                result = function.applyAsDouble(result, arguments.number(evaluator, i));
            }
            return JsNumbers.node(result);
        }));
    }

    /** Rounds halves up, also negative ones. */
    private static double round(double value) {
        var floor = Math.floor(value);
        return value - floor >= 0.5 ? floor + 1 : floor;
    }

    private static double log2(double value) {
        var exponent = Math.getExponent(value);
        var isPowerOfTwo = value > 0 && Double.isFinite(value) && value == Math.scalb(1.0, exponent);
        return isPowerOfTwo ? exponent : Math.log(value) / Math.log(2);
    }
}
