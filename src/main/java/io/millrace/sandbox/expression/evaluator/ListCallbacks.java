package io.millrace.sandbox.expression.evaluator;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.Map;

final class ListCallbacks {
    static final Map<String, Methods.Method> TABLE = Map.ofEntries(
            entry("map", ListCallbacks::map),
            entry("filter", ListCallbacks::filter),
            entry("flatMap", ListCallbacks::flatMap),
            entry("forEach", ListCallbacks::forEach),
            entry("find", (evaluator, self, arguments) -> elementAt(self, search(evaluator, self, arguments, false))),
            entry(
                    "findLast",
                    (evaluator, self, arguments) -> elementAt(self, search(evaluator, self, arguments, true))),
            entry(
                    "findIndex",
                    (evaluator, self, arguments) -> JsNumbers.node(search(evaluator, self, arguments, false))),
            entry(
                    "findLastIndex",
                    (evaluator, self, arguments) -> JsNumbers.node(search(evaluator, self, arguments, true))),
            entry(
                    "some",
                    (evaluator, self, arguments) ->
                            BooleanNode.valueOf(search(evaluator, self, arguments, false) >= 0)),
            entry("every", ListCallbacks::every),
            entry("reduce", (evaluator, self, arguments) -> reduce(evaluator, self, arguments, false)),
            entry("reduceRight", (evaluator, self, arguments) -> reduce(evaluator, self, arguments, true)),
            entry("sort", ListSort::sort),
            entry("toSorted", ListSort::sort));

    private ListCallbacks() {}

    private static JsonNode on(Evaluator evaluator, OpaqueValue.Callable function, JsonNode self, int index) {
        return evaluator.call(function, self.get(index), JsNumbers.node(index), self);
    }

    private static JsonNode map(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var function = arguments.function(0);
        var result = evaluator.newList();
        for (var i = 0; i < self.size(); i++) {
            evaluator.add(result, on(evaluator, function, self, i));
        }
        return result;
    }

    private static JsonNode filter(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var function = arguments.function(0);
        var result = evaluator.newList();
        for (var i = 0; i < self.size(); i++) {
            if (JsValues.isTruthy(on(evaluator, function, self, i))) {
                evaluator.add(result, self.get(i));
            }
        }
        return result;
    }

    private static JsonNode flatMap(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        ListMethods.flatten(evaluator, map(evaluator, self, arguments), 1, result);
        return result;
    }

    private static JsonNode forEach(Evaluator evaluator, JsonNode self, Arguments arguments) {
        map(evaluator, self, arguments);
        return MissingNode.getInstance();
    }

    private static JsonNode every(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var function = arguments.function(0);
        for (var i = 0; i < self.size(); i++) {
            if (!JsValues.isTruthy(on(evaluator, function, self, i))) {
                return BooleanNode.FALSE;
            }
        }
        return BooleanNode.TRUE;
    }

    /** Index of the first, or last, element that the function accepts; -1 when there is none. */
    private static int search(Evaluator evaluator, JsonNode self, Arguments arguments, boolean backwards) {
        var function = arguments.function(0);
        for (var step = 0; step < self.size(); step++) {
            var index = backwards ? self.size() - 1 - step : step;
            if (JsValues.isTruthy(on(evaluator, function, self, index))) {
                return index;
            }
        }
        return -1;
    }

    private static JsonNode elementAt(JsonNode self, int index) {
        return index < 0 ? MissingNode.getInstance() : self.get(index);
    }

    private static JsonNode reduce(Evaluator evaluator, JsonNode self, Arguments arguments, boolean backwards) {
        var function = arguments.function(0);
        var hasStart = arguments.size() > 1;
        if (!hasStart && self.isEmpty()) {
            throw JsError.type("reduce of an empty list with no initial value");
        }
        var result = hasStart ? arguments.at(1) : self.get(backwards ? self.size() - 1 : 0);
        for (var step = hasStart ? 0 : 1; step < self.size(); step++) {
            var index = backwards ? self.size() - 1 - step : step;
            result = evaluator.call(function, result, self.get(index), JsNumbers.node(index), self);
        }
        return result;
    }
}
