package io.millrace.sandbox.expression.formula;

import static io.millrace.sandbox.expression.formula.FormulaFunction.add;
import static io.millrace.sandbox.expression.formula.FormulaFunction.text;
import static io.millrace.sandbox.expression.formula.FormulaFunction.textOr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.evaluator.ListMethods;
import io.millrace.sandbox.expression.evaluator.ListSort;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The list functions (contract flows-and-engine 32.2): a value counts as a list of one, null as an empty one. */
final class FormulaLists {
    private FormulaLists() {}

    static void addTo(Map<String, FormulaFunction> table) {
        add(table, "filter_list", "vtt", FormulaLists::filter);
        add(table, "sort_list", "vtt", FormulaLists::sort);
        add(table, "pluck", "vt", FormulaLists::pluck);
        add(
                table,
                "join_list",
                "vt",
                (evaluator, arguments) -> evaluator.made(
                        JsText.joined(list(arguments), textOr(evaluator, arguments, 1, ","), evaluator.meter())));
        add(table, "first_item", "v", (_, arguments) -> list(arguments).path(0));
        add(
                table,
                "last_item",
                "v",
                (_, arguments) -> list(arguments).path(list(arguments).size() - 1));
        add(table, "item_at", "vv", (evaluator, arguments) -> itemAt(list(arguments), arguments.number(evaluator, 1)));
        add(
                table,
                "count",
                "v",
                (_, arguments) -> JsNumbers.node(list(arguments).size()));
        add(table, "sum", "vt", (evaluator, arguments) -> JsNumbers.node(total(evaluator, arguments)));
        add(table, "average", "vt", FormulaLists::average);
        add(table, "max_in_list", "vt", (evaluator, arguments) -> {
            var largest = numbers(evaluator, arguments).max();
            return largest.isPresent() ? JsNumbers.node(largest.getAsDouble()) : NullNode.getInstance();
        });
        add(table, "min_in_list", "vt", (evaluator, arguments) -> {
            var smallest = numbers(evaluator, arguments).min();
            return smallest.isPresent() ? JsNumbers.node(smallest.getAsDouble()) : NullNode.getInstance();
        });
        add(table, "deduplicate", "vt", FormulaLists::deduplicate);
        add(table, "flatten", "v", (evaluator, arguments) -> {
            var result = evaluator.newList();
            ListMethods.flatten(evaluator, list(arguments), 1, result);
            return result;
        });
        add(table, "split_text_to_list", "tt", FormulaLists::ofText);
    }

    private static ArrayNode list(Arguments arguments) {
        var value = arguments.at(0);
        if (value instanceof ArrayNode list) {
            return list;
        }
        return JsValues.isNullish(value) ? Json.array() : Json.array().add(value);
    }

    private static JsonNode field(JsonNode item, MemberPath.MemberKey key, Evaluator evaluator) {
        evaluator.meter().element();
        evaluator.meter().key(key.text());
        return item.isContainerNode() ? key.of(item) : MissingNode.getInstance();
    }

    private static MemberPath.MemberKey key(Evaluator evaluator, Arguments arguments) {
        return MemberPath.MemberKey.of(text(evaluator, arguments, 1));
    }

    private static JsonNode filter(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var result = evaluator.newList();
        for (var item : list(arguments)) {
            var value = field(item, key, evaluator);
            if (item.isContainerNode() && JsValues.looselyEqual(value, arguments.at(2), evaluator.meter())) {
                evaluator.add(result, item);
            }
        }
        return result;
    }

    private static JsonNode sort(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var isDescending = textOr(evaluator, arguments, 2, "asc").equals("desc");
        var items = new ArrayList<JsonNode>();
        list(arguments).forEach(items::add);
        evaluator.meter().list(items.size());
        Comparator<JsonNode> order = (first, second) ->
                compare(field(first, key, evaluator), field(second, key, evaluator), isDescending, evaluator.meter());
        var result = evaluator.newList();
        ListSort.mergeSort(items, order).forEach(item -> evaluator.add(result, item));
        return result;
    }

    /** Orders missing values last, in both directions. */
    private static int compare(JsonNode first, JsonNode second, boolean isDescending, Meter meter) {
        if (JsValues.isNullish(first) || JsValues.isNullish(second)) {
            return Boolean.compare(JsValues.isNullish(first), JsValues.isNullish(second));
        }
        var order = JsValues.isLess(first, second, meter) ? -1 : JsValues.isLess(second, first, meter) ? 1 : 0;
        return isDescending ? -order : order;
    }

    private static JsonNode pluck(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var result = evaluator.newList();
        for (var item : list(arguments)) {
            evaluator.add(result, field(item, key, evaluator));
        }
        return result;
    }

    private static JsonNode itemAt(ArrayNode list, double index) {
        var isPosition = index >= 0 && index < list.size() && index == (int) index;
        return isPosition ? list.get((int) index) : MissingNode.getInstance();
    }

    private static double total(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var total = 0.0;
        for (var item : list(arguments)) {
            var number = JsNumbers.of(field(item, key, evaluator), evaluator.meter());
            total += Double.isNaN(number) ? 0 : number;
        }
        return total;
    }

    private static JsonNode average(Evaluator evaluator, Arguments arguments) {
        var count = list(arguments).size();
        return JsNumbers.node(count == 0 ? 0 : total(evaluator, arguments) / count);
    }

    private static DoubleStream numbers(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var found = DoubleStream.builder();
        for (var item : list(arguments)) {
            var value = field(item, key, evaluator);
            var number = JsValues.isNullish(value) ? Double.NaN : JsNumbers.of(value, evaluator.meter());
            if (Double.isFinite(number)) {
                found.add(number);
            }
        }
        return found.build();
    }

    /** Keeps the first of the items with the same field; scalars are the same by value, others by identity. */
    private static JsonNode deduplicate(Evaluator evaluator, Arguments arguments) {
        var key = key(evaluator, arguments);
        var scalars = new HashSet<Object>();
        var others = Collections.newSetFromMap(new IdentityHashMap<JsonNode, Boolean>());
        var result = evaluator.newList();
        for (var item : list(arguments)) {
            var value = item.isContainerNode() ? field(item, key, evaluator) : item;
            var isNew = value.isContainerNode() ? others.add(value) : scalars.add(sameness(value, evaluator.meter()));
            if (isNew) {
                evaluator.add(result, item);
            }
        }
        return result;
    }

    /** A text as such: a set orders texts with equal hash codes, while it compares other objects with each other. */
    private static Object sameness(JsonNode scalar, Meter meter) {
        if (scalar.isTextual()) {
            meter.scan(scalar.textValue().length());
            return scalar.textValue();
        }
        // Adding zero makes the negative zero positive.
        return scalar.isNumber() ? (Object) (scalar.doubleValue() + 0.0) : scalar;
    }

    private static JsonNode ofText(Evaluator evaluator, Arguments arguments) {
        var result = evaluator.newList();
        List<String> parts =
                FormulaTexts.parts(evaluator, text(evaluator, arguments, 0), textOr(evaluator, arguments, 1, ","));
        parts.forEach(part -> evaluator.add(result, TextNode.valueOf(JsText.trim(part))));
        return result;
    }
}
