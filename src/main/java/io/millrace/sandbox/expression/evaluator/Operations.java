package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;

/** Operators that always evaluate both operands. */
public final class Operations {
    private Operations() {}

    public static JsonNode apply(Evaluator evaluator, InfixOperator operator, JsonNode left, JsonNode right) {
        var meter = evaluator.meter();
        return switch (operator) {
            case ADD -> add(evaluator, left, right);
            case SUBTRACT -> JsNumbers.node(JsNumbers.of(left, meter) - JsNumbers.of(right, meter));
            case MULTIPLY -> JsNumbers.node(JsNumbers.of(left, meter) * JsNumbers.of(right, meter));
            case DIVIDE -> JsNumbers.node(JsNumbers.of(left, meter) / JsNumbers.of(right, meter));
            case REMAINDER -> JsNumbers.node(JsNumbers.of(left, meter) % JsNumbers.of(right, meter));
            case POWER -> JsNumbers.node(power(JsNumbers.of(left, meter), JsNumbers.of(right, meter)));
            case EQUAL -> BooleanNode.valueOf(JsValues.looselyEqual(left, right, meter));
            case NOT_EQUAL -> BooleanNode.valueOf(!JsValues.looselyEqual(left, right, meter));
            case SAME -> BooleanNode.valueOf(JsValues.strictlyEqual(left, right, meter));
            case NOT_SAME -> BooleanNode.valueOf(!JsValues.strictlyEqual(left, right, meter));
            case LESS -> BooleanNode.valueOf(JsValues.isLess(left, right, meter));
            case GREATER -> BooleanNode.valueOf(JsValues.isLess(right, left, meter));
            case LESS_OR_EQUAL -> BooleanNode.valueOf(JsValues.isLessOrEqual(left, right, meter));
            case GREATER_OR_EQUAL -> BooleanNode.valueOf(JsValues.isLessOrEqual(right, left, meter));
            case IN -> BooleanNode.valueOf(Members.has(right, evaluator.text(left), meter));
            case BITS_AND -> JsNumbers.node(bits(left, meter) & bits(right, meter));
            case BITS_OR -> JsNumbers.node(bits(left, meter) | bits(right, meter));
            case BITS_XOR -> JsNumbers.node(bits(left, meter) ^ bits(right, meter));
            case SHIFT_LEFT -> JsNumbers.node(bits(left, meter) << (bits(right, meter) & 31));
            case SHIFT_RIGHT -> JsNumbers.node(bits(left, meter) >> (bits(right, meter) & 31));
            case SHIFT_RIGHT_UNSIGNED ->
                JsNumbers.node((double) ((bits(left, meter) & 0xffff_ffffL) >>> (bits(right, meter) & 31)));
            case IF_NULLISH, OR, AND -> throw new IllegalStateException(operator + " does not evaluate both operands");
        };
    }

    private static JsonNode add(Evaluator evaluator, JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return JsNumbers.node(left.doubleValue() + right.doubleValue());
        }
        if (left.isTextual() || right.isTextual() || JsValues.isObject(left) || JsValues.isObject(right)) {
            var first = evaluator.text(left);
            var second = evaluator.text(right);
            evaluator.meter().text((long) first.length() + second.length());
            return TextNode.valueOf(first + second);
        }
        var meter = evaluator.meter();
        return JsNumbers.node(JsNumbers.of(left, meter) + JsNumbers.of(right, meter));
    }

    /** Power; for a base of 1 or -1 with an infinite exponent JavaScript returns NaN and Java 1. */
    static double power(double base, double exponent) {
        return Math.abs(base) == 1 && Double.isInfinite(exponent) ? Double.NaN : Math.pow(base, exponent);
    }

    private static int bits(JsonNode value, Meter meter) {
        return JsNumbers.int32(JsNumbers.of(value, meter));
    }
}
