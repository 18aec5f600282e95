package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;

/** Truth, equality and order of values, as JavaScript decides them. */
public final class JsValues {
    private JsValues() {}

    /** True if the value is truthy: not undefined, null, empty text, 0, NaN or false. */
    public static boolean isTruthy(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> value.booleanValue();
            case STRING -> !value.textValue().isEmpty();
            case NUMBER -> value.doubleValue() != 0 && !Double.isNaN(value.doubleValue());
            case NULL, MISSING -> false;
            case ARRAY, OBJECT, POJO, BINARY -> true;
        };
    }

    /** True if the value is undefined or null. */
    public static boolean isNullish(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    /** {@code ===}: scalars by value, lists and objects by identity. */
    @SuppressWarnings("ReferenceEquality") // as === compares lists and objects
    public static boolean strictlyEqual(JsonNode first, JsonNode second) {
        if (first.isNumber() && second.isNumber()) {
            return first.doubleValue() == second.doubleValue();
        }
        if (first.isContainerNode() || first.isPojo() || first.getNodeType() != second.getNodeType()) {
            return first == second;
        }
        return first.equals(second);
    }

    /** {@code ===}, metered: a list may hold one long text many times. */
    public static boolean strictlyEqual(JsonNode first, JsonNode second, Meter meter) {
        if (first.isTextual() && second.isTextual()) {
            meter.scan(Math.min(first.textValue().length(), second.textValue().length()));
        }
        return strictlyEqual(first, second);
    }

    public static boolean looselyEqual(JsonNode first, JsonNode second) {
        return looselyEqual(first, second, Meter.generous());
    }

    public static boolean looselyEqual(JsonNode first, JsonNode second, Meter meter) {
        if (isNullish(first) || isNullish(second)) {
            return isNullish(first) && isNullish(second);
        }
        if (isObject(first) && isObject(second) || first.getNodeType() == second.getNodeType()) {
            return strictlyEqual(first, second, meter);
        }
        if (isObject(first) || isObject(second)) {
            var left = primitiveText(first, meter);
            var right = primitiveText(second, meter);
            var other = isObject(first) ? second : first;
            if (other.isTextual()) {
                return equal(left, right, meter);
            }
            return JsNumbers.parse(left, meter) == JsNumbers.parse(right, meter);
        }
        return JsNumbers.of(first, meter) == JsNumbers.of(second, meter);
    }

    /** Text of one side of a comparison between an object and a scalar; true and false count as 1 and 0. */
    private static String primitiveText(JsonNode value, Meter meter) {
        return value.isBoolean() ? (value.booleanValue() ? "1" : "0") : JsText.of(value, meter);
    }

    /** {@code <}: two texts by their characters, other values as numbers. */
    public static boolean isLess(JsonNode first, JsonNode second) {
        return isLess(first, second, Meter.generous());
    }

    public static boolean isLess(JsonNode first, JsonNode second, Meter meter) {
        var left = comparable(first, meter);
        var right = comparable(second, meter);
        if (left instanceof String leftText && right instanceof String rightText) {
            return compare(leftText, rightText, meter) < 0;
        }
        return asNumber(left, meter) < asNumber(right, meter);
    }

    /** {@code <=}; not the negation of greater, because NaN is neither. */
    public static boolean isLessOrEqual(JsonNode first, JsonNode second, Meter meter) {
        var left = comparable(first, meter);
        var right = comparable(second, meter);
        if (left instanceof String leftText && right instanceof String rightText) {
            return compare(leftText, rightText, meter) <= 0;
        }
        return asNumber(left, meter) <= asNumber(right, meter);
    }

    private static Object comparable(JsonNode value, Meter meter) {
        if (value.isTextual()) {
            return value.textValue();
        }
        if (isObject(value) && !(OpaqueValue.in(value) instanceof OpaqueValue.Moment)) {
            return JsText.of(value, meter);
        }
        return JsNumbers.of(value, meter);
    }

    public static int compare(String first, String second, Meter meter) {
        meter.scan(Math.min(first.length(), second.length()));
        return first.compareTo(second);
    }

    private static boolean equal(String first, String second, Meter meter) {
        meter.scan(Math.min(first.length(), second.length()));
        return first.equals(second);
    }

    private static double asNumber(Object value, Meter meter) {
        return value instanceof String text ? JsNumbers.parse(text, meter) : (Double) value;
    }

    public static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case MISSING -> "undefined";
            case BOOLEAN -> "boolean";
            case NUMBER -> "number";
            case STRING -> "string";
            case POJO -> OpaqueValue.callableIn(value) == null ? "object" : "function";
            case NULL, ARRAY, OBJECT, BINARY -> "object";
        };
    }

    public static boolean isObject(JsonNode value) {
        return value.isContainerNode() || value.isPojo();
    }
}
