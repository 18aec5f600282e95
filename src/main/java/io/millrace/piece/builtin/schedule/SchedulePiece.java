package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.date.Timezones;
import io.millrace.piece.builtin.schedule.ScheduleTrigger.ReportedInput;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.List;
import java.util.stream.IntStream;

/** Schedule: starts a flow at given times (contract flows-and-engine 19.1, pieces 14.1). */
public final class SchedulePiece {
    private static final Property HOUR = Props.choice("Hour of the day", true, hours());
    private static final ReportedInput HOUR_REPORTED = new ReportedInput("hour_of_the_day", SchedulePiece::hour);
    private static final Property TIMEZONE =
            Props.choice("Timezone", true, Timezones.options()).defaultingTo(TextNode.valueOf("UTC"));
    private static final Property WEEKENDS =
            Props.checkbox("Run on weekends (Sat,Sun)", true).defaultingTo(BooleanNode.FALSE);

    private SchedulePiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "schedule",
                        "Schedule",
                        "Starts a flow at given times.",
                        "new-core/schedule.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.17", "0.1.5")),
                List.of(),
                List.of(everyMinutes(), everyHour(), everyDay(), everyWeek(), everyMonth(), cronExpression()));
    }

    private static ScheduleTrigger everyMinutes() {
        var minutes = Props.choice(
                        "Minutes",
                        true,
                        IntStream.rangeClosed(1, 59)
                                .mapToObj(n -> option(n + (n == 1 ? " minute" : " minutes"), n))
                                .toList())
                .describedAs("From 1 to 59.")
                .defaultingTo(IntNode.valueOf(1));
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "every_x_minutes",
                        "Every X Minutes",
                        "Starts the flow at an interval of minutes.",
                        Props.of(Props.named("minutes", minutes))),
                List.of(),
                false,
                input -> "*/" + number(input, "minutes", 1, 59) + " * * * *");
    }

    private static ScheduleTrigger everyHour() {
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "every_hour",
                        "Every Hour",
                        "Starts the flow every hour.",
                        Props.of(Props.named("run_on_weekends", WEEKENDS))),
                List.of(),
                false,
                input -> "0 * * * " + daysOf(input));
    }

    private static ScheduleTrigger everyDay() {
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "every_day",
                        "Every Day",
                        "Starts the flow every day.",
                        Props.of(
                                Props.named("hour_of_the_day", HOUR.defaultingTo(IntNode.valueOf(0))),
                                Props.named("timezone", TIMEZONE),
                                Props.named("run_on_weekends", WEEKENDS))),
                List.of(HOUR_REPORTED),
                false,
                input -> "0 " + hour(input) + " * * " + daysOf(input));
    }

    private static ScheduleTrigger everyWeek() {
        var days = List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
        var day = Props.choice(
                "Day of the week",
                true,
                IntStream.range(0, days.size())
                        .mapToObj(i -> option(days.get(i), i))
                        .toList());
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "every_week",
                        "Every Week",
                        "Starts the flow every week.",
                        Props.of(
                                Props.named("day_of_the_week", day),
                                Props.named("hour_of_the_day", HOUR),
                                Props.named("timezone", TIMEZONE))),
                List.of(HOUR_REPORTED, new ReportedInput("day_of_the_week", SchedulePiece::dayOfWeek)),
                false,
                input -> "0 " + hour(input) + " * * " + dayOfWeek(input));
    }

    private static ScheduleTrigger everyMonth() {
        var day = Props.choice(
                "Day of the month",
                true,
                IntStream.rangeClosed(1, 31)
                        .mapToObj(n -> option(Integer.toString(n), n))
                        .toList());
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "every_month",
                        "Every Month",
                        "Starts the flow every month.",
                        Props.of(
                                Props.named("day_of_the_month", day),
                                Props.named("hour_of_the_day", HOUR),
                                Props.named("timezone", TIMEZONE))),
                List.of(HOUR_REPORTED, new ReportedInput("day_of_the_month", SchedulePiece::dayOfMonth)),
                false,
                input -> "0 " + hour(input) + " " + dayOfMonth(input) + " * *");
    }

    private static ScheduleTrigger cronExpression() {
        var expression = Props.shortText("Cron Expression", true)
                .describedAs("Minute, hour, day of the month, month and day of the week.")
                .defaultingTo(TextNode.valueOf("0/5 * * * *"));
        return new ScheduleTrigger(
                ScheduleTrigger.spec(
                        "cron_expression",
                        "Cron Expression",
                        "Starts the flow at the times of a cron expression.",
                        Props.of(Props.named("cronExpression", expression), Props.named("timezone", TIMEZONE))),
                List.of(),
                true,
                input -> input.path("cronExpression").asText("0/5 * * * *").strip());
    }

    private static String daysOf(ObjectNode input) {
        return input.path("run_on_weekends").asBoolean(false) ? "*" : "1-5";
    }

    private static int hour(ObjectNode input) {
        return number(input, "hour_of_the_day", 0, 23);
    }

    private static int dayOfWeek(ObjectNode input) {
        return number(input, "day_of_the_week", 0, 6);
    }

    private static int dayOfMonth(ObjectNode input) {
        return number(input, "day_of_the_month", 1, 31);
    }

    /** Clamps a whole number to its range, hour 24 to 23; other values become the minimum. */
    private static int number(ObjectNode input, String name, int min, int max) {
        var number = JsNumbers.of(input.path(name));
        return number == Math.rint(number) ? (int) Math.clamp(number, min, max) : min;
    }

    private static List<Option> hours() {
        return IntStream.range(0, 24)
                .mapToObj(hour -> option(
                        switch (hour) {
                            case 0 -> "Midnight";
                            case 12 -> "Noon";
                            default -> hour % 12 + (hour < 12 ? " am" : " pm");
                        },
                        hour))
                .toList();
    }

    private static Option option(String label, int value) {
        return new Option(label, IntNode.valueOf(value));
    }
}
