package io.millrace.sandbox.expression.formula;

import java.time.Duration;
import java.time.ZonedDateTime;

/** Distance of a date from now in words: {@code 3 days ago}, {@code in a month}. */
final class RelativeTime {
    private static final double MINUTE = 60;
    private static final double HOUR = 60 * MINUTE;
    private static final double DAY = 24 * HOUR;

    private RelativeTime() {}

    static String of(ZonedDateTime date, ZonedDateTime now) {
        var distance = distance(date, now);
        return date.isAfter(now) ? "in " + distance : distance + " ago";
    }

    private static String distance(ZonedDateTime date, ZonedDateTime now) {
        var seconds = Duration.between(date, now).abs().toMillis() / 1000.0;
        if (Math.round(seconds) <= 89) {
            return Math.round(seconds) <= 44 ? "a few seconds" : "a minute";
        }
        if (Math.round(seconds / MINUTE) <= 89) {
            return Math.round(seconds / MINUTE) <= 44 ? counted(seconds / MINUTE, "a minute", "minutes") : "an hour";
        }
        if (Math.round(seconds / HOUR) <= 35) {
            return Math.round(seconds / HOUR) <= 21 ? counted(seconds / HOUR, "an hour", "hours") : "a day";
        }
        if (Math.round(seconds / DAY) <= 45) {
            return Math.round(seconds / DAY) <= 25 ? counted(seconds / DAY, "a day", "days") : "a month";
        }
        var months = date.isBefore(now) ? months(date, now) : months(now, date);
        if (Math.round(months) <= 17) {
            return Math.round(months) <= 10 ? counted(months, "a month", "months") : "a year";
        }
        return counted(months / 12, "a year", "years");
    }

    private static String counted(double number, String one, String many) {
        var whole = Math.round(number);
        return whole <= 1 ? one : whole + " " + many;
    }

    /** Months with the fraction of the last one. */
    private static double months(ZonedDateTime from, ZonedDateTime to) {
        var whole = (to.getYear() - from.getYear()) * 12 + to.getMonthValue() - from.getMonthValue();
        if (from.plusMonths(whole).isAfter(to)) {
            whole--;
        }
        var start = from.plusMonths(whole);
        var length = Duration.between(start, from.plusMonths(whole + 1L)).toMillis();
        return whole + (double) Duration.between(start, to).toMillis() / length;
    }
}
