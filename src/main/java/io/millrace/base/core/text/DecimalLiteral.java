package io.millrace.base.core.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers written as decimal digits whose value a double does not hold: identifiers of 64 bits, long amounts. Pure. */
public final class DecimalLiteral {
    /** Longest text that is read; the largest double has 309 digits. */
    private static final int CHARACTERS_MAX = 400;

    private static final int LONG_BITS = 63;
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?");

    private DecimalLiteral() {}

    /**
     * The exact value of a text without surrounding white space.
     *
     * @param number that {@code Number(text)} returns
     * @return empty when the text is no decimal literal, or is that number in another form
     */
    public static Optional<JsonNode> exact(String text, double number) {
        if (text.length() > CHARACTERS_MAX
                || !Double.isFinite(number)
                || !NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        var value = new BigDecimal(text);
        if (value.compareTo(new BigDecimal(Double.toString(number))) == 0) {
            return Optional.empty();
        }
        var isWhole = value.stripTrailingZeros().scale() <= 0;
        return Optional.of(isWhole ? whole(value.toBigIntegerExact()) : DecimalNode.valueOf(value));
    }

    public static JsonNode whole(BigInteger value) {
        return value.bitLength() <= LONG_BITS
                ? LongNode.valueOf(value.longValueExact())
                : BigIntegerNode.valueOf(value);
    }
}
