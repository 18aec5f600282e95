package io.millrace.integration.analytics;

import io.millrace.base.core.input.Fields;
import java.time.LocalDate;
import java.time.Period;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Period of the figures; on the wire in lower case with hyphens (contract admin-api 29). */
public enum TimePeriod {
    LAST_WEEK(Period.ofWeeks(1)),
    LAST_MONTH(Period.ofMonths(1)),
    LAST_THREE_MONTHS(Period.ofMonths(3)),
    LAST_SIX_MONTHS(Period.ofMonths(6)),
    LAST_YEAR(Period.ofYears(1));

    private final Period length;

    TimePeriod(Period length) {
        this.length = length;
    }

    LocalDate since(LocalDate today) {
        return today.minus(length);
    }

    private String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads the period of a query; empty if absent; an invalid value is recorded as a problem of the query. */
    static Optional<TimePeriod> read(Fields query) {
        var text = query.optionalText("timePeriod");
        var found = text.flatMap(name -> Arrays.stream(values())
                .filter(period -> period.wireName().equals(name))
                .findFirst());
        if (text.isPresent() && found.isEmpty()) {
            query.refuse("timePeriod", "Invalid option: expected one of " + names());
        }
        return found;
    }

    private static String names() {
        return Arrays.stream(values())
                .map(period -> '"' + period.wireName() + '"')
                .collect(Collectors.joining("|"));
    }
}
