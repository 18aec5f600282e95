package io.millrace.sandbox.expression.formula;

import static io.millrace.sandbox.expression.formula.FormulaFunction.add;
import static io.millrace.sandbox.expression.formula.FormulaFunction.text;
import static io.millrace.sandbox.expression.formula.FormulaFunction.textOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ZoneNames;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.DateMethods;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.value.FormulaDateText;
import io.millrace.sandbox.expression.value.JsDates;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The date functions (contract flows-and-engine 32.2). The server's local time is UTC; a date that cannot be read gives empty text.
 * A number is read by its digits like any text, as the published evaluator does: four of them are a year, so milliseconds since the
 * epoch are not read as a date.
 */
final class FormulaDates {
    private static final TextNode EMPTY = TextNode.valueOf("");
    private static final int TEXT_LENGTH_MAX = 100;
    private static final double DAY_MS = 86_400_000;
    private static final double HOUR_MS = 3_600_000;

    /** Parts by position, each of which may be missing from some point on; with a zone it is read as JavaScript does. */
    private static final Pattern PARTS = Pattern.compile("(\\d{4})[-/]?(\\d{1,2})?[-/]?(\\d{0,2})[Tt\\s]*+"
            + "(\\d{1,2})?:?(\\d{1,2})?:?(\\d{1,2})?[.:]?(\\d{1,9})?");

    private static final DateTimeFormatter LONG = DateTimeFormatter.ofPattern("EEEE, MMMM d, uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMMM", Locale.ENGLISH);
    private static final DateTimeFormatter WEEKDAY = DateTimeFormatter.ofPattern("EEEE", Locale.ENGLISH);

    private FormulaDates() {}

    static void addTo(Map<String, FormulaFunction> table) {
        add(table, "format_date", "vt", (evaluator, arguments) -> formatted(evaluator, arguments, "YYYY-MM-DD"));
        add(table, "format_time", "vt", (evaluator, arguments) -> formatted(evaluator, arguments, "HH:mm"));
        ofDate(table, "format_date_long", date -> TextNode.valueOf(LONG.format(date)));
        add(table, "relative_time", "v", FormulaDates::relative);
        add(table, "add_days", "vv", (evaluator, arguments) -> moved(evaluator, arguments, days(evaluator, arguments)));
        add(
                table,
                "subtract_days",
                "vv",
                (evaluator, arguments) -> moved(evaluator, arguments, -days(evaluator, arguments)));
        add(
                table,
                "add_hours",
                "vv",
                (evaluator, arguments) -> moved(evaluator, arguments, arguments.number(evaluator, 1) * HOUR_MS));
        add(table, "days_between", "vv", FormulaDates::daysBetween);
        ofDate(table, "get_day", date -> JsNumbers.node(date.getDayOfMonth()));
        ofDate(table, "get_year", date -> JsNumbers.node(date.getYear()));
        ofDate(table, "get_month", date -> TextNode.valueOf(MONTH.format(date)));
        ofDate(table, "get_day_of_week", date -> TextNode.valueOf(WEEKDAY.format(date)));
        ofDate(table, "start_of_month", date -> iso(startOfMonth(date)));
        ofDate(
                table,
                "end_of_month",
                date -> iso(startOfMonth(date).plusMonths(1).minusNanos(1_000_000)));
        add(table, "convert_timezone", "vt", FormulaDates::inZone);
        add(table, "now", "", (evaluator, _) -> TextNode.valueOf(FormulaDateText.iso(DateMethods.now(evaluator))));
        add(
                table,
                "today",
                "",
                (evaluator, _) -> TextNode.valueOf(FormulaDateText.at(DateMethods.now(evaluator))
                        .toLocalDate()
                        .toString()));
        add(table, "to_date", "t", (evaluator, arguments) -> moved(evaluator, arguments, 0));
    }

    private static void ofDate(
            Map<String, FormulaFunction> table, String name, Function<ZonedDateTime, JsonNode> function) {
        add(table, name, "v", (evaluator, arguments) -> {
            var time = time(evaluator, arguments, 0);
            return Double.isNaN(time) ? EMPTY : function.apply(FormulaDateText.at(time));
        });
    }

    /** Time of an argument; NaN if it cannot be read. */
    private static double time(Evaluator evaluator, Arguments arguments, int index) {
        var text = text(evaluator, arguments, index);
        if (text.length() > TEXT_LENGTH_MAX) {
            return Double.NaN;
        }
        var parts = PARTS.matcher(text);
        if (!parts.matches()) {
            return JsDates.parse(text, evaluator.meter());
        }
        var fraction = parts.group(7) == null ? "" : parts.group(7);
        return JsDates.time(
                part(parts.group(1), 0),
                part(parts.group(2), 1) - 1,
                part(parts.group(3), 1),
                part(parts.group(4), 0),
                part(parts.group(5), 0),
                part(parts.group(6), 0),
                part(fraction.substring(0, Math.min(3, fraction.length())), 0));
    }

    private static int part(String digits, int whenAbsent) {
        return digits == null || digits.isEmpty() ? whenAbsent : Integer.parseInt(digits);
    }

    private static JsonNode formatted(Evaluator evaluator, Arguments arguments, String pattern) {
        var time = time(evaluator, arguments, 0);
        if (Double.isNaN(time)) {
            return EMPTY;
        }
        var letters = textOr(evaluator, arguments, 1, pattern);
        evaluator.meter().spend(letters.length());
        return evaluator.made(FormulaDatePattern.format(FormulaDateText.at(time), letters));
    }

    private static JsonNode relative(Evaluator evaluator, Arguments arguments) {
        var time = time(evaluator, arguments, 0);
        return Double.isNaN(time)
                ? EMPTY
                : TextNode.valueOf(
                        RelativeTime.of(FormulaDateText.at(time), FormulaDateText.at(DateMethods.now(evaluator))));
    }

    /** Days are counted whole, hours with their fraction. */
    private static double days(Evaluator evaluator, Arguments arguments) {
        return Math.floor(arguments.number(evaluator, 1) + 0.5) * DAY_MS;
    }

    private static JsonNode moved(Evaluator evaluator, Arguments arguments, double byMs) {
        var time = time(evaluator, arguments, 0);
        return Double.isNaN(time) ? EMPTY : TextNode.valueOf(FormulaDateText.iso(JsDates.clip(time + byMs)));
    }

    private static JsonNode daysBetween(Evaluator evaluator, Arguments arguments) {
        var distance = time(evaluator, arguments, 1) - time(evaluator, arguments, 0);
        return Double.isNaN(distance) ? EMPTY : JsNumbers.node(Math.floor(Math.abs(distance) / DAY_MS + 0.5));
    }

    private static ZonedDateTime startOfMonth(ZonedDateTime date) {
        return date.toLocalDate().withDayOfMonth(1).atStartOfDay(ZoneOffset.UTC);
    }

    private static JsonNode iso(ZonedDateTime date) {
        return TextNode.valueOf(FormulaDateText.iso((double) date.toInstant().toEpochMilli()));
    }

    private static JsonNode inZone(Evaluator evaluator, Arguments arguments) {
        var time = time(evaluator, arguments, 0);
        if (Double.isNaN(time)) {
            return EMPTY;
        }
        var name = textOr(evaluator, arguments, 1, "UTC");
        evaluator.meter().scan(name.length());
        try {
            var zone = ZoneNames.of(JsText.trim(name));
            var date = Instant.ofEpochMilli((long) time).atZone(zone);
            var isUtc = date.getOffset().equals(ZoneOffset.UTC);
            return TextNode.valueOf(FormulaDatePattern.format(date, "YYYY-MM-DDTHH:mm:ss" + (isUtc ? "[Z]" : "Z")));
        } catch (DateTimeException unknownZone) {
            throw FormulaFailure.other();
        }
    }
}
