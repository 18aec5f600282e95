package io.millrace.sandbox.expression.evaluator;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.Map;

/** The methods of lists that take no function. They never change the list: methods such as sorting return a new one. */
public final class ListMethods {
    static final Map<String, Methods.Method> TABLE = Map.ofEntries(
            entry("at", ListMethods::at),
            entry("includes", ListMethods::includes),
            entry("indexOf", ListMethods::indexOf),
            entry("lastIndexOf", ListMethods::lastIndexOf),
            entry("join", ListMethods::join),
            entry("toString", (evaluator, self, _) -> evaluator.made(evaluator.text(self))),
            entry("slice", ListMethods::slice),
            entry("concat", ListMethods::concat),
            entry("flat", ListMethods::flat),
            entry("reverse", ListMethods::reverse),
            entry("toReversed", ListMethods::reverse),
            entry("fill", ListMethods::fill),
            entry("keys", ListMethods::keys),
            entry("values", (_, self, _) -> self),
            entry("entries", ListMethods::entries));

    private ListMethods() {}

    private static JsonNode at(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var wanted = arguments.integer(evaluator, 0, 0);
        var at = wanted < 0 ? self.size() + wanted : wanted;
        return at >= 0 && at < self.size() ? self.get((int) at) : MissingNode.getInstance();
    }

    private static JsonNode includes(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var wanted = arguments.at(0);
        var isNotANumber = wanted.isNumber() && Double.isNaN(wanted.doubleValue());
        for (var item : self) {
            evaluator.meter().spend(1);
            if (isNotANumber
                    ? item instanceof NumericNode && Double.isNaN(item.doubleValue())
                    : JsValues.strictlyEqual(item, wanted, evaluator.meter())) {
                return BooleanNode.TRUE;
            }
        }
        return BooleanNode.FALSE;
    }

    private static JsonNode indexOf(Evaluator evaluator, JsonNode self, Arguments arguments) {
        for (var i = TextMethods.fromEnd(arguments.integer(evaluator, 1, 0), self.size()); i < self.size(); i++) {
            evaluator.meter().spend(1);
            if (JsValues.strictlyEqual(self.get(i), arguments.at(0), evaluator.meter())) {
                return JsNumbers.node(i);
            }
        }
        return JsNumbers.node(-1);
    }

    private static JsonNode lastIndexOf(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = arguments.integer(evaluator, 1, self.size() - 1.0);
        for (var i = (int) Math.min(from < 0 ? self.size() + from : from, self.size() - 1.0); i >= 0; i--) {
            evaluator.meter().spend(1);
            if (JsValues.strictlyEqual(self.get(i), arguments.at(0), evaluator.meter())) {
                return JsNumbers.node(i);
            }
        }
        return JsNumbers.node(-1);
    }

    private static JsonNode join(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var separator = arguments.isGiven(0) ? evaluator.text(arguments.at(0)) : ",";
        return evaluator.made(JsText.joined((ArrayNode) self, separator, evaluator.meter()));
    }

    private static JsonNode slice(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = TextMethods.fromEnd(arguments.integer(evaluator, 0, 0), self.size());
        var to = TextMethods.fromEnd(arguments.integer(evaluator, 1, self.size()), self.size());
        var result = evaluator.newList();
        for (var i = from; i < to; i++) {
            evaluator.add(result, self.get(i));
        }
        return result;
    }

    private static JsonNode concat(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        self.forEach(item -> evaluator.add(result, item));
        for (var argument : arguments.all()) {
            if (argument.isArray()) {
                argument.forEach(item -> evaluator.add(result, item));
            } else {
                evaluator.add(result, argument);
            }
        }
        return result;
    }

    private static JsonNode flat(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        flatten(evaluator, self, arguments.integer(evaluator, 0, 1), result);
        return result;
    }

    public static void flatten(Evaluator evaluator, JsonNode list, double depth, ArrayNode into) {
        evaluator.meter().enter();
        for (var item : list) {
            if (item.isArray() && depth >= 1) {
                flatten(evaluator, item, depth - 1, into);
            } else {
                evaluator.add(into, item);
            }
        }
        evaluator.meter().leave();
    }

    private static JsonNode reverse(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        for (var i = self.size() - 1; i >= 0; i--) {
            evaluator.add(result, self.get(i));
        }
        return result;
    }

    private static JsonNode fill(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var from = TextMethods.fromEnd(arguments.integer(evaluator, 1, 0), self.size());
        var to = TextMethods.fromEnd(arguments.integer(evaluator, 2, self.size()), self.size());
        var result = evaluator.newList();
        for (var i = 0; i < self.size(); i++) {
            evaluator.add(result, i >= from && i < to ? arguments.at(0) : self.get(i));
        }
        return result;
    }

    private static JsonNode keys(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        for (var i = 0; i < self.size(); i++) {
            evaluator.add(result, JsNumbers.node(i));
        }
        return result;
    }

    private static JsonNode entries(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var result = evaluator.newList();
        for (var i = 0; i < self.size(); i++) {
            var pair = evaluator.newList();
            evaluator.add(pair, JsNumbers.node(i));
            evaluator.add(pair, self.get(i));
            evaluator.add(result, pair);
        }
        return result;
    }
}
