package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds integers in values for JavaScript that it cannot hold exactly: its numbers are doubles. Pure. */
public final class InexactNumbers {
    /** Bounds the work per call on an event loop. */
    private static final int VALUES_MAX = 100_000;

    private static final int MESSAGES_MAX = 10;
    private static final long SAFE_MAX = 1L << 53;

    private InexactNumbers() {}

    private record Place(String path, JsonNode value) {}

    /** The log with a warning per field that loses digits; the same log if there is none. */
    public static ConsoleLog warned(ConsoleLog log, JsonNode inputs) {
        var messages = messages("inputs", inputs, "code");
        if (messages.isEmpty()) {
            return log;
        }
        var lines = new ArrayList<ConsoleLog.Line>();
        messages.forEach(message -> lines.add(new ConsoleLog.Line(ConsoleLog.Level.WARN, message)));
        lines.addAll(log.lines());
        return new ConsoleLog(lines, log.truncated());
    }

    /**
     * A warning per field that loses digits, at most ten.
     *
     * @param root name of the value
     * @param receiver noun for the JavaScript that receives the value
     */
    public static List<String> messages(String root, JsonNode value, String receiver) {
        return paths(root, value).stream()
                .map(path -> path + ": JavaScript cannot hold this integer exactly, so the " + receiver
                        + " received a rounded number; pass it as text")
                .toList();
    }

    /** Paths of such integers, with {@code []} for the items of a list. */
    static Set<String> paths(String root, JsonNode value) {
        var found = new LinkedHashSet<String>();
        Deque<Place> open = new ArrayDeque<>(List.of(new Place(root, value)));
        for (var left = VALUES_MAX; left > 0 && !open.isEmpty() && found.size() < MESSAGES_MAX; left--) {
            var place = open.pop();
            if (isInexact(place.value())) {
                found.add(place.path());
            } else if (place.value().isArray()) {
                addItems(place, open, left);
            } else {
                addFields(place, open);
            }
        }
        return found;
    }

    private static void addItems(Place list, Deque<Place> open, int left) {
        var path = list.path() + "[]";
        for (var index = Math.min(list.value().size(), left) - 1; index >= 0; index--) {
            open.push(new Place(path, list.value().get(index)));
        }
    }

    private static void addFields(Place object, Deque<Place> open) {
        var fields = new ArrayList<>(object.value().properties());
        for (var field : fields.reversed()) {
            open.push(new Place(object.path() + "." + field.getKey(), field.getValue()));
        }
    }

    private static boolean isInexact(JsonNode value) {
        if (value.isLong()) {
            var number = value.longValue();
            return (number > SAFE_MAX || number < -SAFE_MAX)
                    && new BigDecimal((double) number).compareTo(BigDecimal.valueOf(number)) != 0;
        }
        return value.isBigInteger()
                && (!Double.isFinite(value.doubleValue())
                        || new BigDecimal(value.doubleValue()).compareTo(new BigDecimal(value.bigIntegerValue())) != 0);
    }
}
