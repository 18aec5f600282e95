package io.millrace.sandbox.expression;

import java.util.Optional;

/** The operators of router conditions; each constant's name is its wire value (contract flows-and-engine 2.7). */
public enum ConditionOperator {
    TEXT_CONTAINS(Family.TEXT),
    TEXT_DOES_NOT_CONTAIN(Family.TEXT),
    TEXT_EXACTLY_MATCHES(Family.TEXT),
    TEXT_DOES_NOT_EXACTLY_MATCH(Family.TEXT),
    TEXT_START_WITH(Family.TEXT),
    TEXT_DOES_NOT_START_WITH(Family.TEXT),
    TEXT_ENDS_WITH(Family.TEXT),
    TEXT_DOES_NOT_END_WITH(Family.TEXT),
    LIST_CONTAINS(Family.TEXT),
    LIST_DOES_NOT_CONTAIN(Family.TEXT),
    NUMBER_IS_GREATER_THAN(Family.NUMBER),
    NUMBER_IS_LESS_THAN(Family.NUMBER),
    NUMBER_IS_EQUAL_TO(Family.NUMBER),
    DATE_IS_BEFORE(Family.DATE),
    DATE_IS_EQUAL(Family.DATE),
    DATE_IS_AFTER(Family.DATE),
    EXISTS(Family.SINGLE_VALUE),
    DOES_NOT_EXIST(Family.SINGLE_VALUE),
    BOOLEAN_IS_TRUE(Family.SINGLE_VALUE),
    BOOLEAN_IS_FALSE(Family.SINGLE_VALUE),
    LIST_IS_EMPTY(Family.SINGLE_VALUE),
    LIST_IS_NOT_EMPTY(Family.SINGLE_VALUE);

    public enum Family {
        /** Two values, and whether upper and lower case differ. */
        TEXT,
        NUMBER,
        DATE,
        SINGLE_VALUE
    }

    private final Family family;

    ConditionOperator(Family family) {
        this.family = family;
    }

    public Family family() {
        return family;
    }

    public static Optional<ConditionOperator> of(String wireValue) {
        for (var operator : values()) {
            if (operator.name().equals(wireValue)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }
}
