package io.millrace.authoring.table.cell;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Comparison of a filter (contract flows-and-engine 22.5). */
public enum FilterOperator {
    EQ,
    NEQ,
    CO,
    GT,
    GTE,
    LT,
    LTE,
    EXISTS,
    NOT_EXISTS;

    boolean takesValue() {
        return this != EXISTS && this != NOT_EXISTS;
    }

    /** Name of the operator in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<FilterOperator> of(String word) {
        return Arrays.stream(values())
                .filter(operator -> operator.word().equals(word))
                .findFirst();
    }
}
