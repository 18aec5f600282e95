package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;

/** Texts that JavaScript gives to values: {@code String(value)}, JSON text, and what a mixed text inserts. */
public final class JsText {
    private static final int BITS_PER_UNIT = 16;

    private JsText() {}

    /** {@code String(value)}; a missing node is {@code undefined}. */
    public static String of(JsonNode value) {
        return value.isTextual() ? value.textValue() : of(value, Meter.generous());
    }

    /** {@code JSON.stringify(value)}; a value that has no JSON text gives empty text. */
    public static String json(JsonNode value) {
        var text = JsJson.text(value, "", Meter.generous());
        return text == null ? "" : text;
    }

    /** Text of a token's value in a mixed text: texts raw, missing and null as empty text, others as JSON. */
    public static String inserted(JsonNode value) {
        return inserted(value, Meter.generous());
    }

    public static String inserted(JsonNode value, Meter meter) {
        if (value.isTextual()) {
            meter.text(value.textValue().length());
            return value.textValue();
        }
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isIntegralNumber()) {
            return value.asText();
        }
        var text = JsJson.text(value, "", meter);
        return text == null ? "" : text;
    }

    public static String of(JsonNode value, Meter meter) {
        return switch (value.getNodeType()) {
            case STRING -> value.textValue();
            case NUMBER -> number(value, meter);
            case BOOLEAN -> value.booleanValue() ? "true" : "false";
            case NULL -> "null";
            case MISSING -> "undefined";
            case ARRAY -> joined((ArrayNode) value, ",", meter);
            case OBJECT, BINARY -> "[object Object]";
            case POJO -> exotic(OpaqueValue.in(value));
        };
    }

    private static String number(JsonNode value, Meter meter) {
        if (value instanceof BigIntegerNode large) {
            meter.spend(large.bigIntegerValue().bitLength() / BITS_PER_UNIT);
        }
        return number(value);
    }

    /** Whole numbers keep all their digits, also those that a double could not hold. */
    static String number(JsonNode value) {
        if (value.isInt() || value.isLong() || value instanceof BigIntegerNode) {
            return value.asText();
        }
        return NumberText.of(value.doubleValue());
    }

    public static String joined(ArrayNode list, String separator, Meter meter) {
        meter.enter();
        var result = new StringBuilder();
        for (var i = 0; i < list.size(); i++) {
            var before = result.length();
            if (i > 0) {
                result.append(separator);
            }
            if (!JsValues.isNullish(list.get(i))) {
                result.append(of(list.get(i), meter));
            }
            meter.grown(result, result.length() - before);
        }
        meter.leave();
        return result.toString();
    }

    private static String exotic(OpaqueValue value) {
        return switch (value) {
            case OpaqueValue.Callable callable -> "function " + callable.name() + "() { [native code] }";
            case OpaqueValue.Moment(var time) -> FormulaDateText.full(time);
            case OpaqueValue.Regex(var pattern) -> pattern.toString();
            case null -> "[object Object]";
        };
    }

    /** {@code text.trim()}: JavaScript's idea of white space. */
    public static String trim(String text) {
        return trimEnd(trimStart(text));
    }

    public static String trimStart(String text) {
        var start = 0;
        while (start < text.length() && isSpace(text.charAt(start))) {
            start++;
        }
        return text.substring(start);
    }

    public static String trimEnd(String text) {
        var end = text.length();
        while (end > 0 && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    public static boolean isSpace(char c) {
        if (c <= ' ') {
            return c == ' ' || c >= '\t' && c <= '\r';
        }
        return c == '\u00a0'
                || c == '\ufeff'
                || c == '\u2028'
                || c == '\u2029'
                || c >= '\u1680' && Character.getType(c) == Character.SPACE_SEPARATOR;
    }
}
