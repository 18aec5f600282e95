package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;
import java.util.Set;

/**
 * Operators whose results are exactly those of JavaScript. Numbers are finite, not -0, and integers up to 2^53; operands that
 * JavaScript would convert in an unusual way leave the subset.
 */
final class ExactValues {
    static final JsonNode UNDEFINED = MissingNode.getInstance();

    private static final int NUMBER_TEXT_UNITS = 8;

    private static final Set<String> INHERITED = Set.of(
            "__proto__",
            "__defineGetter__",
            "__defineSetter__",
            "__lookupGetter__",
            "__lookupSetter__",
            "constructor",
            "hasOwnProperty",
            "isPrototypeOf",
            "propertyIsEnumerable",
            "toLocaleString",
            "toString",
            "valueOf");

    private ExactValues() {}

    static JsonNode number(double value) {
        if (!isExact(value)) {
            throw new SubsetExit("a number beyond the subset");
        }
        return JsNumbers.node(value);
    }

    /** False for NaN, infinities, -0, and integers beyond 2^53. */
    static boolean isExact(double value) {
        return Double.isFinite(value)
                && (value != 0 || Double.doubleToRawLongBits(value) == 0)
                && (Math.abs(value) <= JsNumbers.SAFE_INTEGER_MAX);
    }

    static double numeric(JsonNode value, Meter meter) {
        if (value.isNumber()) {
            return value.doubleValue();
        }
        if (!value.isTextual()) {
            throw new SubsetExit("an operand that is no number");
        }
        meter.scan(value.textValue().length());
        return JsNumbers.parse(value.textValue());
    }

    static String text(JsonNode value, Meter meter) {
        if (JsValues.isObject(value)) {
            throw new SubsetExit("the text of a list or an object");
        }
        if (value.isNumber() && !value.isInt()) {
            meter.spend(NUMBER_TEXT_UNITS);
        }
        return JsText.of(value);
    }

    static String requireText(JsonNode value) {
        if (!value.isTextual()) {
            throw new SubsetExit("an argument that is no text");
        }
        return value.textValue();
    }

    static JsonNode made(String text, Meter meter) {
        meter.text(text.length());
        return TextNode.valueOf(text);
    }

    static JsonNode apply(InfixOperator operator, JsonNode left, JsonNode right, Meter meter) {
        return switch (operator) {
            case ADD -> sum(left, right, meter);
            case SUBTRACT -> number(numeric(left, meter) - numeric(right, meter));
            case MULTIPLY -> number(numeric(left, meter) * numeric(right, meter));
            case DIVIDE -> number(numeric(left, meter) / numeric(right, meter));
            case REMAINDER -> number(numeric(left, meter) % numeric(right, meter));
            case EQUAL -> BooleanNode.valueOf(isLooselyEqual(left, right, meter));
            case NOT_EQUAL -> BooleanNode.valueOf(!isLooselyEqual(left, right, meter));
            case SAME -> BooleanNode.valueOf(isSame(left, right, meter));
            case NOT_SAME -> BooleanNode.valueOf(!isSame(left, right, meter));
            case LESS -> BooleanNode.valueOf(order(left, right, meter) < 0);
            case GREATER -> BooleanNode.valueOf(order(left, right, meter) > 0);
            case LESS_OR_EQUAL -> BooleanNode.valueOf(order(left, right, meter) <= 0);
            case GREATER_OR_EQUAL -> BooleanNode.valueOf(order(left, right, meter) >= 0);
            case BITS_AND -> number(bits(left) & bits(right));
            case BITS_OR -> number(bits(left) | bits(right));
            case BITS_XOR -> number(bits(left) ^ bits(right));
            case SHIFT_LEFT -> number(bits(left) << (bits(right) & 31));
            case SHIFT_RIGHT -> number(bits(left) >> (bits(right) & 31));
            case SHIFT_RIGHT_UNSIGNED -> number((double) ((bits(left) & 0xffff_ffffL) >>> (bits(right) & 31)));
            case POWER, IN, IF_NULLISH, OR, AND -> throw new SubsetExit("the operator " + operator);
        };
    }

    private static JsonNode sum(JsonNode left, JsonNode right, Meter meter) {
        if (left.isNumber() && right.isNumber()) {
            return number(left.doubleValue() + right.doubleValue());
        }
        if (!left.isTextual() && !right.isTextual()) {
            throw new SubsetExit("a sum of neither numbers nor texts");
        }
        var first = text(left, meter);
        var second = text(right, meter);
        meter.text((long) first.length() + second.length());
        return TextNode.valueOf(first + second);
    }

    /** {@code ===}. One node may stand for two equal objects, because inputs can share it. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isSame(JsonNode left, JsonNode right, Meter meter) {
        if (JsValues.isObject(left) && left == right) {
            throw new SubsetExit("a comparison of an object with itself");
        }
        if (left.isTextual() && right.isTextual()) {
            meter.scan(Math.min(left.textValue().length(), right.textValue().length()));
        }
        return JsValues.strictlyEqual(left, right);
    }

    private static boolean isLooselyEqual(JsonNode left, JsonNode right, Meter meter) {
        if (JsValues.isNullish(left) || JsValues.isNullish(right)) {
            return JsValues.isNullish(left) && JsValues.isNullish(right);
        }
        if (left.getNodeType() != right.getNodeType()) {
            throw new SubsetExit("a comparison of different types");
        }
        return isSame(left, right, meter);
    }

    private static int order(JsonNode left, JsonNode right, Meter meter) {
        if (left.isNumber() && right.isNumber()) {
            return Double.compare(left.doubleValue(), right.doubleValue());
        }
        if (!left.isTextual() || !right.isTextual()) {
            throw new SubsetExit("an order of different types");
        }
        return JsValues.compare(left.textValue(), right.textValue(), meter);
    }

    static int bits(JsonNode value) {
        if (!value.isNumber()) {
            throw new SubsetExit("an operand that is no number");
        }
        return JsNumbers.int32(value.doubleValue());
    }

    static JsonNode member(JsonNode value, String name) {
        if (value instanceof ObjectNode object) {
            var own = object.get(name);
            if (own == null && INHERITED.contains(name)) {
                throw new SubsetExit("a member that objects inherit");
            }
            return own == null ? UNDEFINED : own;
        }
        if (name.equals("length")) {
            if (value instanceof ArrayNode list) {
                return JsNumbers.node(list.size());
            }
            if (value.isTextual()) {
                return JsNumbers.node(value.textValue().length());
            }
        }
        throw new SubsetExit("a member of a value that is no object");
    }

    static JsonNode member(JsonNode value, JsonNode key) {
        if (key.isTextual()) {
            return member(value, key.textValue());
        }
        if (!key.isNumber() || key.doubleValue() < 0 || key.doubleValue() != (int) key.doubleValue()) {
            throw new SubsetExit("a key that is neither a text nor a position");
        }
        var index = (int) key.doubleValue();
        if (value instanceof ArrayNode list) {
            return index < list.size() ? list.get(index) : UNDEFINED;
        }
        if (value.isTextual()) {
            var text = value.textValue();
            return index < text.length() ? TextNode.valueOf(String.valueOf(text.charAt(index))) : UNDEFINED;
        }
        throw new SubsetExit("a position in a value that is no list");
    }

    /** Sets a property. JavaScript puts keys that are integers first, and one name changes the prototype. */
    static void put(ObjectNode object, String key, JsonNode value, Meter meter) {
        requirePlainKey(key);
        meter.scan(key.length());
        meter.element();
        object.set(key, value);
    }

    static void requirePlainKey(String key) {
        if (key.equals("__proto__") || isInteger(key)) {
            throw new SubsetExit("a key with a meaning of its own");
        }
    }

    private static boolean isInteger(String key) {
        for (var index = 0; index < key.length(); index++) {
            if (key.charAt(index) < '0' || key.charAt(index) > '9') {
                return false;
            }
        }
        return !key.isEmpty();
    }

    static void add(ArrayNode list, JsonNode value, Meter meter) {
        meter.element();
        list.add(value);
    }

    static ArrayNode requireList(JsonNode value) {
        if (value instanceof ArrayNode list) {
            return list;
        }
        throw new SubsetExit("a value that is no list");
    }
}
