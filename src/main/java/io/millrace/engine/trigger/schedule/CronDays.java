package io.millrace.engine.trigger.schedule;

import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * The days of a cron expression. When both the day of the month and the day of the week are restricted, a day needs to
 * meet one of them only, as cron has always done it.
 */
final class CronDays {
    /** The last day of the week of a month: {@code 5L}; or the n-th: {@code 5#2}, counted from 1. */
    private record InMonth(int dayOfWeek, int ordinal) {
        boolean matches(LocalDate day) {
            var week = CronDays.dayOfWeek(day);
            return week == dayOfWeek
                    && (ordinal == 0
                            ? day.getDayOfMonth() + 7 > day.lengthOfMonth()
                            : (day.getDayOfMonth() - 1) / 7 + 1 == ordinal);
        }
    }

    private final BitSet months = new BitSet(13);
    private final BitSet daysOfMonth = new BitSet(32);
    private final BitSet daysOfWeek = new BitSet(7);
    private final List<InMonth> inMonth = new ArrayList<>();
    private boolean lastDay;
    private final boolean anyDayOfMonth;
    private final boolean anyDayOfWeek;

    CronDays(String dayOfMonth, String month, String dayOfWeek) {
        anyDayOfMonth = isAny(dayOfMonth);
        anyDayOfWeek = isAny(dayOfWeek);
        for (var part : month.split(",", -1)) {
            months.or(CronField.MONTH.read(part));
        }
        for (var part : dayOfMonth.split(",", -1)) {
            if (part.equalsIgnoreCase("L")) {
                lastDay = true;
            } else {
                daysOfMonth.or(CronField.DAY_OF_MONTH.read(part));
            }
        }
        for (var part : dayOfWeek.split(",", -1)) {
            readDayOfWeek(part);
        }
    }

    private void readDayOfWeek(String part) {
        var week = CronField.DAY_OF_WEEK;
        var hash = part.indexOf('#');
        if (hash > 0) {
            var ordinal = week.digits(part.substring(hash + 1), part);
            if (ordinal < 1 || ordinal > 5) {
                throw week.refused(part);
            }
            inMonth.add(new InMonth(week.number(part.substring(0, hash), part) % 7, ordinal));
        } else if (part.length() > 1 && part.toUpperCase(Locale.ROOT).endsWith("L")) {
            inMonth.add(new InMonth(week.number(part.substring(0, part.length() - 1), part) % 7, 0));
        } else {
            daysOfWeek.or(week.read(part));
        }
    }

    /** A step on everything ({@code *}{@code /2}) counts as everything here: so cron does. */
    private static boolean isAny(String field) {
        return field.startsWith("*") || field.startsWith("?");
    }

    boolean contains(LocalDate day) {
        if (!months.get(day.getMonthValue())) {
            return false;
        }
        var ofMonth = daysOfMonth.get(day.getDayOfMonth()) || lastDay && isLast(day);
        var ofWeek = daysOfWeek.get(dayOfWeek(day)) || inMonth.stream().anyMatch(rule -> rule.matches(day));
        return anyDayOfMonth || anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    private static boolean isLast(LocalDate day) {
        return day.equals(day.with(TemporalAdjusters.lastDayOfMonth()));
    }

    private static int dayOfWeek(LocalDate day) {
        return day.getDayOfWeek().getValue() % 7;
    }
}
