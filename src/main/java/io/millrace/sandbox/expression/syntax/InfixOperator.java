package io.millrace.sandbox.expression.syntax;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operators between two operands, with their binding strength. */
public enum InfixOperator {
    IF_NULLISH("??", 1),
    OR("||", 2),
    AND("&&", 3),
    BITS_OR("|", 4),
    BITS_XOR("^", 5),
    BITS_AND("&", 6),
    EQUAL("==", 7),
    NOT_EQUAL("!=", 7),
    SAME("===", 7),
    NOT_SAME("!==", 7),
    LESS("<", 8),
    GREATER(">", 8),
    LESS_OR_EQUAL("<=", 8),
    GREATER_OR_EQUAL(">=", 8),
    IN("in", 8),
    SHIFT_LEFT("<<", 9),
    SHIFT_RIGHT(">>", 9),
    SHIFT_RIGHT_UNSIGNED(">>>", 9),
    ADD("+", 10),
    SUBTRACT("-", 10),
    MULTIPLY("*", 11),
    DIVIDE("/", 11),
    REMAINDER("%", 11),
    POWER("**", 12);

    private static final Map<String, InfixOperator> BY_SYMBOL =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(InfixOperator::symbol, Function.identity()));

    private final String symbol;
    private final int strength;

    InfixOperator(String symbol, int strength) {
        this.symbol = symbol;
        this.strength = strength;
    }

    String symbol() {
        return symbol;
    }

    public int strength() {
        return strength;
    }

    /** True if the right operand is evaluated only if the left one does not decide. */
    public boolean isLazy() {
        return this == IF_NULLISH || this == OR || this == AND;
    }

    /** Operator of an assignment such as {@code +=}; null if it has none. */
    public static InfixOperator ofAssignment(String symbol) {
        return BY_SYMBOL.get(symbol.substring(0, symbol.length() - 1));
    }

    /** Operator of a lexeme; null if it is none. */
    public static InfixOperator of(Lexeme lexeme) {
        return switch (lexeme.kind()) {
            case PUNCTUATOR -> BY_SYMBOL.get(lexeme.text());
            case NAME -> lexeme.text().equals("in") ? IN : null;
            case NUMBER, TEXT, TEMPLATE_WHOLE, TEMPLATE_HEAD, TEMPLATE_MIDDLE, TEMPLATE_TAIL, REGEX, END -> null;
        };
    }
}
