package io.millrace.sandbox.expression.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

public final class NumberText {
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

    private NumberText() {}

    /** {@code String(value)}: the shortest digits that read back as the same number. */
    public static String of(double value) {
        if (value == (long) value && Math.abs(value) <= JsNumbers.SAFE_INTEGER_MAX) {
            return Long.toString((long) value);
        }
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        var exact = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
        if (exact.precision() == 2) {
            exact = oneDigitIfEnough(exact);
        }
        var digits = exact.unscaledValue().toString();
        return (value < 0 ? "-" : "") + arrange(digits, digits.length() - exact.scale());
    }

    /** The JDK prints at least two digits, even if one digit identifies the number. */
    private static BigDecimal oneDigitIfEnough(BigDecimal twoDigits) {
        var oneDigit = twoDigits.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return oneDigit.doubleValue() == twoDigits.doubleValue() ? oneDigit.stripTrailingZeros() : twoDigits;
    }

    /**
     * Writes digits in JavaScript's choice of notation.
     *
     * @param point number of digits before the decimal point
     */
    private static String arrange(String digits, int point) {
        if (point > 21 || point < -5) {
            var exponent = point - 1;
            var mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
            return mantissa + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
        }
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        if (digits.length() <= point) {
            return digits + "0".repeat(point - digits.length());
        }
        return digits.substring(0, point) + "." + digits.substring(point);
    }

    public static String fixed(double value, int decimals) {
        if (decimals < 0 || decimals > 100) {
            throw JsError.range("toFixed() digits argument must be between 0 and 100");
        }
        if (!Double.isFinite(value) || Math.abs(value) >= 1e21) {
            return of(value);
        }
        var rounded = new BigDecimal(Math.abs(value)).setScale(decimals, RoundingMode.HALF_UP);
        return (value < 0 ? "-" : "") + rounded.toPlainString();
    }

    /** {@code value.toLocaleString('en-US')} with a fixed number of decimals; rounds the shortest decimal digits. */
    public static String grouped(double value, int decimals) {
        if (decimals < 0 || decimals > 100) {
            throw JsError.range("fraction digits must be between 0 and 100");
        }
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "NaN" : value < 0 ? "-∞" : "∞";
        }
        var digits = new BigDecimal(Double.toString(Math.abs(value)))
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
        var whole = decimals == 0 ? digits.length() : digits.indexOf('.');
        var grouped = new StringBuilder(digits);
        for (var at = whole - 3; at > 0; at -= 3) {
            grouped.insert(at, ',');
        }
        return (value < 0 ? "-" : "") + grouped;
    }

    public static String precise(double value, int precision) {
        if (precision < 1 || precision > 100) {
            throw JsError.range("toPrecision() argument must be between 1 and 100");
        }
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        if (value == 0) {
            return precision == 1 ? "0" : "0." + "0".repeat(precision - 1);
        }
        var rounded = new BigDecimal(Math.abs(value)).round(new MathContext(precision, RoundingMode.HALF_UP));
        var exponent = rounded.precision() - rounded.scale() - 1;
        var digits = rounded.unscaledValue().toString();
        digits += "0".repeat(Math.max(0, precision - digits.length()));
        var sign = value < 0 ? "-" : "";
        if (exponent < -6 || exponent >= precision) {
            return sign + withExponent(digits, exponent);
        }
        return sign
                + rounded.setScale(Math.max(0, precision - 1 - exponent), RoundingMode.HALF_UP)
                        .toPlainString();
    }

    public static String exponential(double value, int decimals) {
        if (decimals < 0 || decimals > 100) {
            throw JsError.range("toExponential() argument must be between 0 and 100");
        }
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        if (value == 0) {
            return withExponent("0".repeat(decimals + 1), 0);
        }
        var rounded = new BigDecimal(Math.abs(value)).round(new MathContext(decimals + 1, RoundingMode.HALF_UP));
        var digits = rounded.unscaledValue().toString();
        digits += "0".repeat(Math.max(0, decimals + 1 - digits.length()));
        var exponent = rounded.precision() - rounded.scale() - 1;
        return (value < 0 ? "-" : "") + withExponent(digits.substring(0, decimals + 1), exponent);
    }

    private static String withExponent(String digits, int exponent) {
        var mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return mantissa + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
    }

    private static String nonFinite(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        return value > 0 ? "Infinity" : "-Infinity";
    }

    /** {@code value.toString(radix)}: the fewest fraction digits that identify the number. */
    public static String inRadix(double value, int radix) {
        if (radix < 2 || radix > 36) {
            throw JsError.range("toString() radix must be between 2 and 36");
        }
        if (radix == 10 || !Double.isFinite(value)) {
            return of(value);
        }
        var magnitude = Math.abs(value);
        var whole = new BigDecimal(Math.floor(magnitude)).toBigInteger();
        var fraction = new StringBuilder();
        if (fractionDigits(magnitude, radix, fraction)) {
            whole = whole.add(BigInteger.ONE);
        }
        var text = whole.toString(radix) + (fraction.isEmpty() ? "" : "." + fraction);
        return value < 0 ? "-" + text : text;
    }

    /** Appends the fraction digits; true when rounding carries into the whole part. */
    private static boolean fractionDigits(double magnitude, int radix, StringBuilder digits) {
        var fraction = magnitude - Math.floor(magnitude);
        var delta = Math.max(Double.MIN_VALUE, 0.5 * (Math.nextUp(magnitude) - magnitude));
        while (fraction >= delta) {
            fraction *= radix;
            delta *= radix;
            var digit = (int) fraction;
            digits.append(DIGITS.charAt(digit));
            fraction -= digit;
            var aboveHalf = fraction > 0.5 || fraction == 0.5 && (digit & 1) == 1;
            if (aboveHalf && fraction + delta > 1) {
                return roundUp(digits, radix);
            }
        }
        return false;
    }

    private static boolean roundUp(StringBuilder digits, int radix) {
        for (var i = digits.length() - 1; i >= 0; i--) {
            var digit = Character.digit(digits.charAt(i), 36);
            if (digit + 1 < radix) {
                digits.setCharAt(i, DIGITS.charAt(digit + 1));
                return false;
            }
            digits.setLength(i);
        }
        return true;
    }
}
