package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Units of a date, and of the time between two dates (contract pieces 14.3). */
final class DateParts {
    private static final Property UNITS_OF_DATE = Props.choices(
                    "Unit to Extract",
                    true,
                    "Year",
                    "year",
                    "Month",
                    "month",
                    "Day",
                    "day",
                    "Hour",
                    "hour",
                    "Minute",
                    "minute",
                    "Second",
                    "second",
                    "Day of Week",
                    "dayOfWeek",
                    "Month name",
                    "monthName")
            .describedAs("The units to take from the date.")
            .defaultingTo(Json.array().add("year"));

    private static final Property UNITS_OF_DIFFERENCE = Props.choices(
                    "Unit", true, "Year", "year", "Month", "month", "Day", "day", "Hour", "hour", "Minute", "minute",
                    "Second", "second")
            .describedAs("Units of the difference.")
            .defaultingTo(Json.array().add("day"));

    /** Calendar lengths of units, largest first: a year counts 365 days and a month 30. */
    private static final Map<String, Duration> LENGTHS = new LinkedHashMap<>();

    static {
        LENGTHS.put("year", Duration.ofDays(365));
        LENGTHS.put("month", Duration.ofDays(30));
        LENGTHS.put("day", Duration.ofDays(1));
        LENGTHS.put("hour", Duration.ofHours(1));
        LENGTHS.put("minute", Duration.ofMinutes(1));
        LENGTHS.put("second", Duration.ofSeconds(1));
    }

    private DateParts() {}

    static ComputedAction extract() {
        var props = Props.of(
                Props.named("inputDate", DateHelperPiece.inputDate("Input Date")),
                Props.named("inputFormat", DateProps.format("From Time Format")),
                Props.named("unitExtract", UNITS_OF_DATE));
        return new ComputedAction(
                ComputedAction.pure("extract_date_parts", "Extract Date Units", "Extracts units from a date.", props),
                DateParts::parts);
    }

    private static JsonNode parts(ObjectNode input) {
        var date = DateProps.dateIn(input, "inputDate", "inputFormat", ZoneOffset.UTC);
        var parts = Json.object();
        for (var unit : units(input, "unitExtract", UNITS_OF_DATE)) {
            parts.set(unit.asText(), part(date, unit.asText()));
        }
        return parts;
    }

    private static JsonNode units(ObjectNode input, String name, Property property) {
        return input.path(name).isArray() ? input.path(name) : property.defaultValue();
    }

    private static JsonNode part(ZonedDateTime date, String unit) {
        return switch (unit) {
            case "year" -> Json.mapper().valueToTree(date.getYear());
            case "month" -> Json.mapper().valueToTree(date.getMonthValue());
            case "day" -> Json.mapper().valueToTree(date.getDayOfMonth());
            case "hour" -> Json.mapper().valueToTree(date.getHour());
            case "minute" -> Json.mapper().valueToTree(date.getMinute());
            case "second" -> Json.mapper().valueToTree(date.getSecond());
            case "dayOfWeek" ->
                Json.mapper().valueToTree(date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.US));
            case "monthName" -> Json.mapper().valueToTree(date.getMonth().getDisplayName(TextStyle.FULL, Locale.US));
            default -> throw unknown(unit);
        };
    }

    private static PieceFailure unknown(String unit) {
        return PieceFailure.of("Expected a unit such as year or day, found " + unit);
    }

    static ComputedAction difference() {
        var props = Props.of(
                Props.named("startDate", DateHelperPiece.inputDate("Starting Date")),
                Props.named("startDateFormat", DateProps.format("Starting date format")),
                Props.named("endDate", DateHelperPiece.inputDate("Ending Date")),
                Props.named("endDateFormat", DateProps.format("Ending date format")),
                Props.named("unitDifference", UNITS_OF_DIFFERENCE));
        return new ComputedAction(
                ComputedAction.pure(
                        "date_difference", "Date Difference", "Calculates the time between two dates.", props),
                DateParts::between);
    }

    /** Each unit counts the remainder of the larger ones, whether these are requested or not. */
    private static JsonNode between(ObjectNode input) {
        var start = DateProps.dateIn(input, "startDate", "startDateFormat", ZoneOffset.UTC);
        var end = DateProps.dateIn(input, "endDate", "endDateFormat", ZoneOffset.UTC);
        var counts = new LinkedHashMap<String, Long>();
        var leftMs = Duration.between(start, end).toMillis();
        for (var unit : LENGTHS.entrySet()) {
            counts.put(unit.getKey(), leftMs / unit.getValue().toMillis());
            leftMs %= unit.getValue().toMillis();
        }
        var difference = Json.object();
        for (var unit : units(input, "unitDifference", UNITS_OF_DIFFERENCE)) {
            if (!counts.containsKey(unit.asText())) {
                throw unknown(unit.asText());
            }
            difference.put(unit.asText(), counts.get(unit.asText()));
        }
        return difference;
    }
}
