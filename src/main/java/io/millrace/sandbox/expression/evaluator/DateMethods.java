package io.millrace.sandbox.expression.evaluator;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.FormulaDateText;
import io.millrace.sandbox.expression.value.JsDates;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Makes dates and reads their parts. Local time and UTC are the same here. */
public final class DateMethods {
    static final Map<String, Methods.Method> TABLE = table();

    private DateMethods() {}

    private static Map<String, Methods.Method> table() {
        var methods = new HashMap<String, Methods.Method>(Map.ofEntries(
                entry("getTime", (_, self, _) -> JsNumbers.node(JsNumbers.of(self))),
                entry("valueOf", (_, self, _) -> JsNumbers.node(JsNumbers.of(self))),
                entry("getTimezoneOffset", (_, _, _) -> JsNumbers.node(0)),
                entry("toISOString", (_, self, _) -> TextNode.valueOf(FormulaDateText.iso(JsNumbers.of(self)))),
                entry("toJSON", DateMethods::toJson),
                entry("toString", (_, self, _) -> TextNode.valueOf(FormulaDateText.full(JsNumbers.of(self)))),
                entry("toDateString", (_, self, _) -> TextNode.valueOf(FormulaDateText.day(JsNumbers.of(self)))),
                entry("toTimeString", (_, self, _) -> TextNode.valueOf(FormulaDateText.time(JsNumbers.of(self)))),
                entry("toUTCString", (_, self, _) -> TextNode.valueOf(FormulaDateText.utc(JsNumbers.of(self))))));
        part(methods, "FullYear", ZonedDateTime::getYear);
        part(methods, "Month", at -> at.getMonthValue() - 1);
        part(methods, "Date", ZonedDateTime::getDayOfMonth);
        part(methods, "Day", at -> at.getDayOfWeek().getValue() % 7);
        part(methods, "Hours", ZonedDateTime::getHour);
        part(methods, "Minutes", ZonedDateTime::getMinute);
        part(methods, "Seconds", ZonedDateTime::getSecond);
        part(methods, "Milliseconds", at -> at.getNano() / 1_000_000);
        return Map.copyOf(methods);
    }

    private static void part(Map<String, Methods.Method> methods, String name, ToIntFunction<ZonedDateTime> part) {
        Methods.Method method = (_, self, _) -> {
            var time = JsNumbers.of(self);
            return JsNumbers.node(Double.isNaN(time) ? time : part.applyAsInt(FormulaDateText.at(time)));
        };
        methods.put("get" + name, method);
        methods.put("getUTC" + name, method);
    }

    private static JsonNode toJson(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var time = JsNumbers.of(self);
        return Double.isNaN(time) ? NullNode.getInstance() : TextNode.valueOf(FormulaDateText.iso(time));
    }

    static JsonNode construct(Evaluator evaluator, Arguments arguments) {
        if (arguments.size() == 0) {
            return OpaqueValue.moment(now(evaluator));
        }
        if (arguments.size() > 1) {
            return OpaqueValue.moment(ofParts(evaluator, arguments));
        }
        var value = arguments.at(0);
        if (OpaqueValue.in(value) instanceof OpaqueValue.Moment) {
            return value;
        }
        return OpaqueValue.moment(
                value.isTextual() || value.isContainerNode()
                        ? JsDates.parse(evaluator.text(value), evaluator.meter())
                        : JsDates.clip(JsNumbers.of(value, evaluator.meter())));
    }

    public static double now(Evaluator evaluator) {
        return (double) evaluator.scope().clock().millis();
    }

    /** Year, month and so on; a year from 0 to 99 is one of the last century. */
    static double ofParts(Evaluator evaluator, Arguments arguments) {
        var parts = new double[] {0, 0, 1, 0, 0, 0, 0};
        for (var i = 0; i < Math.min(parts.length, arguments.size()); i++) {
            parts[i] = arguments.number(evaluator, i);
        }
        var year = JsNumbers.integer(parts[0]);
        if (!Double.isNaN(parts[0]) && year >= 0 && year <= 99) {
            parts[0] = 1900 + year;
        }
        return JsDates.time(parts);
    }
}
