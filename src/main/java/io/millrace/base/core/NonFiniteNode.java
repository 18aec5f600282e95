package io.millrace.base.core;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.NumericNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * NaN or an infinity; a number out of the range of doubles is read as one. It is a number to expressions and conditions, and
 * null when it is written, as JavaScript writes it.
 */
public final class NonFiniteNode extends NumericNode {
    private static final long serialVersionUID = 1;

    private final double value;

    public NonFiniteNode(double value) {
        this.value = value;
    }

    @Override
    public void serialize(JsonGenerator generator, SerializerProvider provider) throws IOException {
        generator.writeNull();
    }

    @Override
    public JsonToken asToken() {
        return JsonToken.VALUE_NUMBER_FLOAT;
    }

    @Override
    public JsonParser.NumberType numberType() {
        return JsonParser.NumberType.DOUBLE;
    }

    @Override
    public boolean isNaN() {
        return true;
    }

    @Override
    public Number numberValue() {
        return value;
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public long longValue() {
        return (long) value;
    }

    @Override
    public double doubleValue() {
        return value;
    }

    @Override
    public BigDecimal decimalValue() {
        return BigDecimal.ZERO;
    }

    @Override
    public BigInteger bigIntegerValue() {
        return BigInteger.ZERO;
    }

    @Override
    public boolean canConvertToInt() {
        return false;
    }

    @Override
    public boolean canConvertToLong() {
        return false;
    }

    @Override
    public String asText() {
        return Double.toString(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NonFiniteNode node && Double.compare(node.value, value) == 0;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(value);
    }
}
