package io.millrace.engine.trigger.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * One field of a cron expression: its name, its range of numbers, and names of the numbers.
 *
 * @param names names of the numbers from {@code min} on; empty when they have none
 */
record CronField(String name, int min, int max, List<String> names) {
    static final CronField MINUTE = new CronField("minute", 0, 59, List.of());
    static final CronField HOUR = new CronField("hour", 0, 23, List.of());
    static final CronField DAY_OF_MONTH = new CronField("day of the month", 1, 31, List.of());
    static final CronField MONTH = new CronField(
            "month",
            1,
            12,
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"));

    /** 7 is Sunday as well as 0. */
    static final CronField DAY_OF_WEEK =
            new CronField("day of the week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

    /** The numbers that a part of a list means: {@code *}, {@code 5}, {@code MON-FRI}, {@code 1-9/2}, {@code 0/5}. */
    BitSet read(String part) {
        var slash = part.indexOf('/');
        var range = slash < 0 ? part : part.substring(0, slash);
        var step = slash < 0 ? 1 : step(part.substring(slash + 1), part);
        int from;
        int to;
        var dash = range.indexOf('-');
        if (range.equals("*") || range.equals("?")) {
            from = min;
            to = isWeek() ? max - 1 : max;
        } else if (dash > 0) {
            from = number(range.substring(0, dash), part);
            to = number(range.substring(dash + 1), part);
        } else {
            from = number(range, part);
            to = slash < 0 ? from : isWeek() ? max - 1 : max;
        }
        if (from > to) {
            throw refused(part);
        }
        var values = new BitSet(max + 1);
        for (var value = from; value <= to; value += step) {
            values.set(isWeek() && value == max ? 0 : value);
        }
        return values;
    }

    int number(String text, String part) {
        var named = names.indexOf(text.toUpperCase(Locale.ROOT));
        if (named >= 0) {
            return named + min;
        }
        var value = digits(text, part);
        if (value < min || value > max) {
            throw refused(part);
        }
        return value;
    }

    private int step(String text, String part) {
        var step = digits(text, part);
        if (step < 1 || step > max) {
            throw refused(part);
        }
        return step;
    }

    int digits(String text, String part) {
        if (text.isEmpty() || text.length() > 2 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw refused(part);
        }
        return Integer.parseInt(text);
    }

    private boolean isWeek() {
        return max == 7;
    }

    InvalidCronExpressionException refused(String part) {
        return new InvalidCronExpressionException(
                "expected a " + name + " from " + min + " to " + max + ", found \"" + part + "\"");
    }
}
