package io.millrace.sandbox.expression.closure;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.evaluator.TextMethods;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.List;
import java.util.Map;

/** Methods of lists. All but {@code reverse} return new lists. */
final class ClosureLists {
    static final Map<String, Iteration> ITERATIONS = Map.ofEntries(
            entry("map", ClosureLists::map),
            entry("filter", ClosureLists::filter),
            entry("flatMap", ClosureLists::flatMap),
            entry("forEach", ClosureLists::forEach),
            entry("find", ClosureLists::find),
            entry("findIndex", (list, callback, rest, frame) -> {
                requireNone(rest);
                return JsNumbers.node(search(list, callback, true, frame));
            }),
            entry("some", (list, callback, rest, frame) -> {
                requireNone(rest);
                return BooleanNode.valueOf(search(list, callback, true, frame) >= 0);
            }),
            entry("every", (list, callback, rest, frame) -> {
                requireNone(rest);
                return BooleanNode.valueOf(search(list, callback, false, frame) < 0);
            }),
            entry("reduce", ClosureLists::reduce));

    static final Map<String, ExactMethod<ArrayNode>> METHODS = Map.ofEntries(
            entry("join", ClosureLists::join),
            entry("slice", ClosureLists::slice),
            entry("concat", ClosureLists::concat),
            entry("includes", (list, arguments, frame) -> BooleanNode.valueOf(position(list, arguments, frame) >= 0)),
            entry("indexOf", (list, arguments, frame) -> JsNumbers.node(position(list, arguments, frame))),
            entry("at", ClosureLists::at),
            entry("flat", ClosureLists::flat),
            entry("reverse", (list, arguments, frame) -> {
                requireNone(arguments);
                var reversed = reversed(list, frame);
                list.removeAll();
                return list.addAll(reversed);
            }),
            entry("toReversed", (list, arguments, frame) -> {
                requireNone(arguments);
                return reversed(list, frame);
            }));

    private ClosureLists() {}

    @FunctionalInterface
    interface Iteration {
        JsonNode call(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame);
    }

    private static void requireNone(List<JsonNode> arguments) {
        if (!arguments.isEmpty()) {
            throw new SubsetExit("further arguments");
        }
    }

    private static JsonNode on(ListCallback callback, ArrayNode list, int index, ClosureFrame frame) {
        return callback.call(frame, list.get(index), JsNumbers.node(index), list);
    }

    private static JsonNode map(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        requireNone(rest);
        var result = Json.array();
        var size = list.size();
        for (var index = 0; index < size; index++) {
            ExactValues.add(result, on(callback, list, index, frame), frame.meter());
        }
        return result;
    }

    private static JsonNode filter(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        requireNone(rest);
        var result = Json.array();
        var size = list.size();
        for (var index = 0; index < size; index++) {
            var item = list.get(index);
            if (JsValues.isTruthy(on(callback, list, index, frame))) {
                ExactValues.add(result, item, frame.meter());
            }
        }
        return result;
    }

    private static JsonNode flatMap(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        return flattened((ArrayNode) map(list, callback, rest, frame), frame);
    }

    private static JsonNode flat(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        requireNone(arguments);
        return flattened(list, frame);
    }

    private static JsonNode flattened(ArrayNode list, ClosureFrame frame) {
        var result = Json.array();
        for (var item : list) {
            append(result, item, frame);
        }
        return result;
    }

    private static void append(ArrayNode result, JsonNode item, ClosureFrame frame) {
        if (item instanceof ArrayNode inner) {
            frame.meter().spend(1);
            for (var element : inner) {
                ExactValues.add(result, element, frame.meter());
            }
        } else {
            ExactValues.add(result, item, frame.meter());
        }
    }

    private static JsonNode forEach(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        requireNone(rest);
        var size = list.size();
        for (var index = 0; index < size; index++) {
            var _ = on(callback, list, index, frame);
        }
        return ExactValues.UNDEFINED;
    }

    private static JsonNode find(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        requireNone(rest);
        var size = list.size();
        for (var index = 0; index < size; index++) {
            var item = list.get(index);
            if (JsValues.isTruthy(on(callback, list, index, frame))) {
                return item;
            }
        }
        return ExactValues.UNDEFINED;
    }

    /** Position of the first element for which the function returns a truthy, or a falsy, value; -1 if there is none. */
    private static int search(ArrayNode list, ListCallback callback, boolean isTruthy, ClosureFrame frame) {
        var size = list.size();
        for (var index = 0; index < size; index++) {
            if (JsValues.isTruthy(on(callback, list, index, frame)) == isTruthy) {
                return index;
            }
        }
        return -1;
    }

    private static JsonNode reduce(ArrayNode list, ListCallback callback, List<JsonNode> rest, ClosureFrame frame) {
        if (rest.size() > 1 || rest.isEmpty() && list.isEmpty()) {
            throw new SubsetExit("a reduction without a value to begin with");
        }
        var result = rest.isEmpty() ? list.get(0) : rest.getFirst();
        var size = list.size();
        for (var index = rest.isEmpty() ? 1 : 0; index < size; index++) {
            result = callback.call(frame, result, list.get(index), JsNumbers.node(index), list);
        }
        return result;
    }

    private static JsonNode join(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.size() > 1) {
            throw new SubsetExit("further arguments");
        }
        var separator = arguments.isEmpty() ? "," : ExactValues.requireText(arguments.getFirst());
        var meter = frame.meter();
        var result = new StringBuilder();
        for (var index = 0; index < list.size(); index++) {
            var item = list.get(index);
            var text = JsValues.isNullish(item) ? "" : ExactValues.text(item, meter);
            var before = result.length();
            result.append(index == 0 ? "" : separator).append(text);
            meter.grown(result, result.length() - before);
        }
        return ExactValues.made(result.toString(), meter);
    }

    private static JsonNode slice(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.size() > 2) {
            throw new SubsetExit("further arguments");
        }
        var from = position(list, arguments, 0, 0);
        var to = position(list, arguments, 1, list.size());
        var result = Json.array();
        for (var index = from; index < to; index++) {
            ExactValues.add(result, list.get(index), frame.meter());
        }
        return result;
    }

    private static int position(ArrayNode list, List<JsonNode> arguments, int argument, int whenAbsent) {
        return argument < arguments.size()
                ? TextMethods.fromEnd(ClosureTexts.integer(arguments.get(argument)), list.size())
                : whenAbsent;
    }

    private static JsonNode concat(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        var result = Json.array();
        append(result, list, frame);
        for (var argument : arguments) {
            append(result, argument, frame);
        }
        return result;
    }

    private static int position(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.size() != 1) {
            throw new SubsetExit("a search of other than one value");
        }
        var wanted = arguments.getFirst();
        for (var index = 0; index < list.size(); index++) {
            frame.meter().spend(1);
            if (ExactValues.isSame(list.get(index), wanted, frame.meter())) {
                return index;
            }
        }
        return -1;
    }

    private static JsonNode at(ArrayNode list, List<JsonNode> arguments, ClosureFrame frame) {
        if (arguments.size() != 1) {
            throw new SubsetExit("other than one position");
        }
        var wanted = ClosureTexts.integer(arguments.getFirst());
        var index = wanted < 0 ? list.size() + wanted : wanted;
        frame.meter().spend(1);
        return index >= 0 && index < list.size() ? list.get((int) index) : ExactValues.UNDEFINED;
    }

    private static ArrayNode reversed(ArrayNode list, ClosureFrame frame) {
        var result = Json.array();
        for (var index = list.size() - 1; index >= 0; index--) {
            ExactValues.add(result, list.get(index), frame.meter());
        }
        return result;
    }
}
