package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.time.DayOfWeek;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Dates that are found from the current one (contract pieces 14.3). Their results change with the time: not pure. */
final class NextDates {
    /** Maximum distance of two leap days in years. */
    private static final int YEARS_TO_LEAP_DAY_MAX = 8;

    private static final Property WEEKDAY = Props.choice(
                    "Weekday",
                    true,
                    IntStream.rangeClosed(0, 6)
                            .mapToObj(day -> option(weekday(day).getDisplayName(TextStyle.FULL, Locale.US), day))
                            .toList())
            .describedAs("The day of the week to find.");

    private static final Property MONTH = Props.choice(
                    "Month",
                    true,
                    IntStream.rangeClosed(1, 12)
                            .mapToObj(month -> option(Month.of(month).getDisplayName(TextStyle.FULL, Locale.US), month))
                            .toList())
            .describedAs("The month of the day to find.");

    private final InstantSource clock;

    NextDates(InstantSource clock) {
        this.clock = clock;
    }

    private static Option option(String label, int value) {
        return new Option(label, IntNode.valueOf(value));
    }

    private static DayOfWeek weekday(int day) {
        return DayOfWeek.of(day == 0 ? 7 : day);
    }

    ComputedAction dayOfWeek() {
        return action(
                "next_day_of_week",
                "Next Day of Week",
                "Finds the next day of the week.",
                List.of(Props.named("weekday", WEEKDAY)),
                (now, input) -> {
                    var day = weekday(number(input, "weekday", 0, 6));
                    var date = at(now, input).with(TemporalAdjusters.nextOrSame(day));
                    return date.isBefore(now) ? date.plusWeeks(1) : date;
                });
    }

    ComputedAction dayOfYear() {
        var day = Props.number("Day of Month", true)
                .describedAs("The day to find, from 1 to 31.")
                .defaultingTo(IntNode.valueOf(1));
        return action(
                "next_day_of_year",
                "Next Day of Year",
                "Finds the next date with this day and month.",
                List.of(Props.named("month", MONTH), Props.named("day", day)),
                NextDates::nextOfYear);
    }

    private static ZonedDateTime nextOfYear(ZonedDateTime now, ObjectNode input) {
        var month = number(input, "month", 1, 12);
        var day = input.has("day") ? number(input, "day", 1, 31) : 1;
        if (day > Month.of(month).maxLength()) {
            throw PieceFailure.of("day: expected a day that the month has, found " + day);
        }
        var wanted = MonthDay.of(month, day);
        var time = at(now, input).toLocalTime();
        return IntStream.rangeClosed(now.getYear(), now.getYear() + YEARS_TO_LEAP_DAY_MAX)
                .filter(wanted::isValidYear)
                .mapToObj(year -> wanted.atYear(year).atTime(time).atZone(now.getZone()))
                .filter(date -> !date.isBefore(now))
                .findFirst()
                .orElseThrow();
    }

    ComputedAction firstOfPreviousMonth() {
        return action(
                "first_day_of_previous_month",
                "First Day of Previous Month",
                "Finds the first day of the month before this one.",
                List.of(),
                (now, input) -> at(now, input).minusMonths(1).with(TemporalAdjusters.firstDayOfMonth()));
    }

    ComputedAction lastOfPreviousMonth() {
        return action(
                "last_day_of_previous_month",
                "Last Day of Previous Month",
                "Finds the last day of the month before this one.",
                List.of(),
                (now, input) -> at(now, input).minusMonths(1).with(TemporalAdjusters.lastDayOfMonth()));
    }

    private ComputedAction action(
            String name,
            String displayName,
            String description,
            List<Props.NamedProperty> own,
            BiFunction<ZonedDateTime, ObjectNode, ZonedDateTime> find) {
        var common = List.of(
                Props.named("time", DateProps.time()),
                Props.named(
                        "currentTime",
                        Props.checkbox("Use Current Time", false)
                                .describedAs("Uses the current time instead of the time above.")
                                .defaultingTo(BooleanNode.FALSE)),
                Props.named("timeFormat", DateProps.format("To Time Format")),
                Props.named("timeZone", DateProps.zone("Time Zone")));
        var props = Stream.concat(own.stream(), common.stream()).toArray(Props.NamedProperty[]::new);
        return new ComputedAction(
                ComputedAction.varying(name, displayName, description, Props.of(props)),
                input -> DateHelperPiece.result(
                        find.apply(clock.instant().atZone(DateProps.zoneIn(input, "timeZone")), input),
                        input,
                        "timeFormat"));
    }

    private static ZonedDateTime at(ZonedDateTime now, ObjectNode input) {
        var current = input.path("currentTime").asBoolean(false);
        return now.with(current ? LocalTime.of(now.getHour(), now.getMinute()) : DateProps.timeIn(input, "time"));
    }

    private static int number(ObjectNode input, String name, int from, int to) {
        var number = JsNumbers.of(input.path(name));
        if (number != Math.rint(number) || number < from || number > to) {
            throw PieceFailure.of(name + ": expected a whole number from " + from + " to " + to + ", found "
                    + input.path(name).asText());
        }
        return (int) number;
    }
}
