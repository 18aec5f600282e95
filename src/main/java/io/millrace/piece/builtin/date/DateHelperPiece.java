package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/** Date Helper: formats dates, takes them apart and calculates with them (contract pieces 14.3). */
public final class DateHelperPiece {
    private DateHelperPiece() {}

    public static Piece create(InstantSource clock) {
        var next = new NextDates(clock);
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "date-helper",
                        "Date Helper",
                        "Works on dates and times.",
                        "new-core/date-helper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.27", "0.1.11")),
                List.of(
                        currentDate(clock),
                        formatDate(),
                        DateParts.extract(),
                        DateParts.difference(),
                        addSubtract(clock),
                        next.dayOfWeek(),
                        next.dayOfYear(),
                        next.firstOfPreviousMonth(),
                        next.lastOfPreviousMonth()),
                List.of());
    }

    static JsonNode result(ZonedDateTime date, ObjectNode input, String formatName) {
        return Json.object()
                .put("result", DateProps.patternIn(input, formatName).write(date));
    }

    private static ComputedAction currentDate(InstantSource clock) {
        var props = Props.of(
                Props.named("timeFormat", DateProps.format("To Time Format")),
                Props.named("timeZone", DateProps.zone("Time Zone")));
        return new ComputedAction(
                ComputedAction.varying("get_current_date", "Get Current Date", "Returns the current date.", props),
                input -> result(clock.instant().atZone(DateProps.zoneIn(input, "timeZone")), input, "timeFormat"));
    }

    private static ComputedAction formatDate() {
        var props = Props.of(
                Props.named("inputDate", inputDate("Input Date")),
                Props.named("inputFormat", DateProps.format("From Time Format")),
                Props.named("inputTimeZone", DateProps.zone("From Time Zone")),
                Props.named("outputFormat", DateProps.format("To Time Format")),
                Props.named("outputTimeZone", DateProps.zone("To Time Zone")));
        return new ComputedAction(
                ComputedAction.pure("format_date", "Format Date", "Converts a date to another format.", props),
                DateHelperPiece::formatted);
    }

    static Property inputDate(String displayName) {
        return Props.shortText(displayName, true).describedAs("A date of the format below.");
    }

    private static JsonNode formatted(ObjectNode input) {
        var read = DateProps.dateIn(input, "inputDate", "inputFormat", DateProps.zoneIn(input, "inputTimeZone"));
        return result(read.withZoneSameInstant(DateProps.zoneIn(input, "outputTimeZone")), input, "outputFormat");
    }

    /** Not pure: it may set the time to the current one. */
    private static ComputedAction addSubtract(InstantSource clock) {
        var props = Props.of(
                Props.named("inputDate", inputDate("Input Date")),
                Props.named("inputDateFormat", DateProps.format("From Time Format")),
                Props.named("outputFormat", DateProps.format("To Time Format")),
                Props.named(
                        "expression",
                        Props.longText("Expression", true)
                                .describedAs("What to add and subtract in years, months, days, hours, minutes and"
                                        + " seconds, such as + 1 year - 3 days + 2 hours")),
                Props.named(
                        "timeZone",
                        DateProps.optionalZone("Time Zone", false)
                                .describedAs("Time zone of the days and of the result.")),
                Props.named(
                        "setTime",
                        Props.shortText("Set Time To (24h format)", false)
                                .describedAs("Time of the resulting day, such as 14:30. Leave empty to keep it.")),
                Props.named(
                        "useCurrentTime",
                        Props.checkbox("Use Current Time", false)
                                .describedAs("Sets the time of the resulting day to the current one.")
                                .defaultingTo(BooleanNode.FALSE)));
        return new ComputedAction(
                ComputedAction.varying(
                        "add_subtract_date", "Add/Subtract Time", "Adds time to a date, or subtracts it.", props),
                input -> shifted(input, clock));
    }

    /** The date is in UTC; units are added in the time zone, where a day may have 23 hours. */
    private static JsonNode shifted(ObjectNode input, InstantSource clock) {
        var zone = DateProps.zoneIn(input, "timeZone");
        var read = DateProps.dateIn(input, "inputDate", "inputDateFormat", ZoneOffset.UTC);
        var moved = DateShift.of(input.path("expression").asText()).from(read.withZoneSameInstant(zone));
        if (input.path("useCurrentTime").asBoolean(false)) {
            moved = moved.with(
                    clock.instant().atZone(zone).toLocalTime().withSecond(0).withNano(0));
        } else if (!input.path("setTime").asText("").isBlank()
                && !input.path("setTime").isNull()) {
            moved = moved.with(DateProps.timeIn(input, "setTime"));
        }
        return result(moved, input, "outputFormat");
    }
}
