package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import io.millrace.base.core.NonFiniteNode;
import java.math.BigInteger;

/** Numbers as JavaScript understands them: conversion to a number, and from a number to a JSON node. */
public final class JsNumbers {
    /** Largest integer up to which every integer has a distinct double. */
    public static final double SAFE_INTEGER_MAX = 9_007_199_254_740_991.0;

    private JsNumbers() {}

    /** The node of a number; integers become integer nodes, so that they are written without a fraction. */
    public static JsonNode node(double value) {
        var whole = (long) value;
        if (whole == value && Math.abs(value) <= SAFE_INTEGER_MAX) {
            return whole == (int) whole ? IntNode.valueOf((int) whole) : LongNode.valueOf(whole);
        }
        return Double.isFinite(value) ? DoubleNode.valueOf(value) : new NonFiniteNode(value);
    }

    /** {@code Number(value)}. */
    public static double of(JsonNode value) {
        return of(value, Meter.generous());
    }

    /** {@code Number(value)}, metered: a list may hold one long text many times. */
    public static double of(JsonNode value, Meter meter) {
        return switch (value.getNodeType()) {
            case NUMBER -> value.doubleValue();
            case STRING -> parse(value.textValue(), meter);
            case BOOLEAN -> value.booleanValue() ? 1 : 0;
            case NULL -> 0;
            case ARRAY -> ofList(value, meter);
            case POJO -> OpaqueValue.in(value) instanceof OpaqueValue.Moment(var time) ? time : Double.NaN;
            case MISSING, OBJECT, BINARY -> Double.NaN;
        };
    }

    /**
     * A list converts as its text: an empty list as empty text, one element as the text of that element; a longer list
     * is never a number.
     */
    private static double ofList(JsonNode list, Meter meter) {
        var value = list;
        while (value.isArray() && value.size() == 1) {
            meter.spend(1);
            value = value.get(0);
        }
        return switch (value.getNodeType()) {
            case ARRAY -> value.isEmpty() ? 0 : Double.NaN;
            case NULL, MISSING -> 0;
            case NUMBER, STRING -> of(value, meter);
            case BOOLEAN, OBJECT, POJO, BINARY -> Double.NaN;
        };
    }

    public static double parse(String text, Meter meter) {
        meter.scan(text.length());
        return parse(text);
    }

    /** {@code Number(text)}: ignores surrounding white space; empty text is 0, other text that is not a number is NaN. */
    public static double parse(String text) {
        var trimmed = JsText.trim(text);
        if (trimmed.isEmpty()) {
            return 0;
        }
        if (trimmed.length() > 2 && trimmed.charAt(0) == '0' && Character.isLetter(trimmed.charAt(1))) {
            return parseRadix(trimmed);
        }
        var length = decimalLength(trimmed);
        return length == trimmed.length() ? decimal(trimmed) : Double.NaN;
    }

    /** {@code parseFloat(text)}: the longest beginning that is a number. */
    public static double parsePrefix(String text) {
        var trimmed = JsText.trim(text);
        var length = decimalLength(trimmed);
        return length == 0 ? Double.NaN : decimal(trimmed.substring(0, length));
    }

    /** {@code parseInt(text, radix)}; radix 0 means that the text decides. */
    public static double parseInteger(String text, int radix) {
        var trimmed = JsText.trim(text);
        var at = 0;
        var negative = trimmed.startsWith("-");
        if (negative || trimmed.startsWith("+")) {
            at++;
        }
        var base = radix;
        if ((base == 0 || base == 16) && trimmed.regionMatches(true, at, "0x", 0, 2)) {
            at += 2;
            base = 16;
        }
        base = base == 0 ? 10 : base;
        if (base < 2 || base > 36) {
            return Double.NaN;
        }
        var end = at;
        while (end < trimmed.length() && asciiDigit(trimmed.charAt(end), base) >= 0) {
            end++;
        }
        if (end == at) {
            return Double.NaN;
        }
        var magnitude = wholeOf(trimmed.substring(at, end), base);
        return negative ? -magnitude : magnitude;
    }

    public static double integer(double value) {
        if (Double.isNaN(value)) {
            return 0;
        }
        return value < 0 ? Math.ceil(value) : Math.floor(value);
    }

    /** The 32 lowest bits, as the bitwise operators see a number. */
    public static int int32(double value) {
        if (!Double.isFinite(value)) {
            return 0;
        }
        var whole = integer(value);
        return Math.abs(whole) < 0x1p63
                ? (int) (long) whole
                : new java.math.BigDecimal(whole).toBigInteger().intValue();
    }

    private static double wholeOf(String digits, int base) {
        if (digits.length() <= 10) {
            return Long.parseLong(digits, base);
        }
        if (base == 10) {
            return Double.parseDouble(digits);
        }
        return new BigInteger(digits.length() > 300 ? digits.substring(0, 300) : digits, base).doubleValue();
    }

    private static double parseRadix(String text) {
        var base = switch (text.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 0;
        };
        if (base == 0) {
            return decimalLength(text) == text.length() ? decimal(text) : Double.NaN;
        }
        for (var i = 2; i < text.length(); i++) {
            if (asciiDigit(text.charAt(i), base) < 0) {
                return Double.NaN;
            }
        }
        return wholeOf(text.substring(2), base);
    }

    private static int asciiDigit(char c, int base) {
        return c < 128 ? Character.digit(c, base) : -1;
    }

    private static double decimal(String text) {
        if (text.endsWith("Infinity")) {
            return text.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return Double.parseDouble(text);
    }

    /** Length of the longest beginning that is a decimal literal with an optional sign; 0 when there is none. */
    private static int decimalLength(String text) {
        var at = 0;
        if (!text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+')) {
            at++;
        }
        if (text.startsWith("Infinity", at)) {
            return at + 8;
        }
        var whole = digitsFrom(text, at);
        var end = at + whole;
        var fraction = 0;
        if (end < text.length() && text.charAt(end) == '.') {
            fraction = digitsFrom(text, end + 1);
            end += whole + fraction == 0 ? 0 : 1 + fraction;
        }
        if (whole + fraction == 0) {
            return 0;
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            var sign = end + 1 < text.length() && "+-".indexOf(text.charAt(end + 1)) >= 0 ? 1 : 0;
            var exponent = digitsFrom(text, end + 1 + sign);
            end += exponent == 0 ? 0 : 1 + sign + exponent;
        }
        return end;
    }

    private static int digitsFrom(String text, int from) {
        var at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at - from;
    }
}
