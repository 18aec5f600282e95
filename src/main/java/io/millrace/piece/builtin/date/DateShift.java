package io.millrace.piece.builtin.date;

import io.millrace.base.core.CutText;
import io.millrace.piece.PieceFailure;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Amounts by which a date is moved, written as {@code + 1 day - 2 hours}; a sign holds until the next one. */
record DateShift(List<Amount> amounts) {
    private static final int LENGTH_MAX = 1_000;
    private static final Pattern AMOUNT = Pattern.compile("\\s*([+-]?)\\s*([0-9]{1,9})\\s*([a-zA-Z]{1,10})\\s*");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "year", ChronoUnit.YEARS,
            "month", ChronoUnit.MONTHS,
            "week", ChronoUnit.WEEKS,
            "day", ChronoUnit.DAYS,
            "hour", ChronoUnit.HOURS,
            "minute", ChronoUnit.MINUTES,
            "second", ChronoUnit.SECONDS);

    /** A number of units, negative for the past. */
    record Amount(long count, ChronoUnit unit) {}

    DateShift {
        amounts = List.copyOf(amounts);
    }

    static DateShift of(String expression) {
        if (expression.isBlank() || expression.length() > LENGTH_MAX) {
            throw notOne(CutText.of(expression, LENGTH_MAX));
        }
        var amounts = new ArrayList<Amount>();
        var matcher = AMOUNT.matcher(expression);
        var sign = 1;
        var at = 0;
        while (at < expression.length()) {
            if (!matcher.region(at, expression.length()).lookingAt()) {
                throw notOne(expression);
            }
            sign = matcher.group(1).isEmpty() ? sign : matcher.group(1).equals("-") ? -1 : 1;
            amounts.add(new Amount(sign * Long.parseLong(matcher.group(2)), unit(matcher.group(3), expression)));
            at = matcher.end();
        }
        return new DateShift(amounts);
    }

    private static ChronoUnit unit(String name, String expression) {
        var singular = name.toLowerCase(Locale.ROOT).replaceFirst("s$", "");
        if (!UNITS.containsKey(singular)) {
            throw notOne(expression);
        }
        return UNITS.get(singular);
    }

    private static PieceFailure notOne(String expression) {
        return PieceFailure.of("expression: expected amounts such as + 1 day - 2 hours, found: " + expression);
    }

    ZonedDateTime from(ZonedDateTime date) {
        try {
            var moved = date;
            for (var amount : amounts) {
                moved = moved.plus(amount.count(), amount.unit());
            }
            return moved;
        } catch (DateTimeException | ArithmeticException beyondTime) {
            throw PieceFailure.of("expression: expected a date that can be reached, found one too far away");
        }
    }
}
