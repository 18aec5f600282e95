package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts a list into a new one. The JDK's sort is not used, because it refuses an inconsistent comparison, and expressions may
 * contain one: {@code (a, b) => a.n > b.n ? 1 : -1} puts each of two equal items first. Short lists are compared in the order in
 * which Node.js compares them, so that such a comparison gives the same list.
 */
public final class ListSort {
    /** Sorted by insertion; longer lists are merged from runs of this length. */
    private static final int SHORT_RUN = 32;

    private ListSort() {}

    static JsonNode sort(Evaluator evaluator, JsonNode self, Arguments arguments) {
        var present = new ArrayList<JsonNode>();
        self.forEach(item -> {
            if (!item.isMissingNode()) {
                present.add(item);
            }
        });
        evaluator.meter().list(present.size());
        var sorted = arguments.isGiven(0) ? byFunction(evaluator, present, arguments) : byText(evaluator, present);
        var result = evaluator.newList();
        sorted.forEach(item -> evaluator.add(result, item));
        for (var i = sorted.size(); i < self.size(); i++) {
            evaluator.add(result, MissingNode.getInstance());
        }
        return result;
    }

    private static List<JsonNode> byFunction(Evaluator evaluator, List<JsonNode> items, Arguments arguments) {
        var function = arguments.function(0);
        return mergeSort(items, (first, second) -> {
            var order = JsNumbers.of(evaluator.call(function, first, second), evaluator.meter());
            return order > 0 ? 1 : order < 0 ? -1 : 0;
        });
    }

    private record KeyedItem(String key, JsonNode item) {}

    private static List<JsonNode> byText(Evaluator evaluator, List<JsonNode> items) {
        var keyed = items.stream()
                .map(item -> new KeyedItem(evaluator.text(item), item))
                .toList();
        Comparator<KeyedItem> order = (first, second) -> JsValues.compare(first.key(), second.key(), evaluator.meter());
        return mergeSort(keyed, order).stream().map(KeyedItem::item).toList();
    }

    public static <T> List<T> mergeSort(List<T> items, Comparator<T> order) {
        var from = new ArrayList<>(items);
        for (var start = 0; start < from.size(); start += SHORT_RUN) {
            insertionSort(from.subList(start, Math.min(start + SHORT_RUN, from.size())), order);
        }
        for (var width = SHORT_RUN; width < items.size(); width *= 2) {
            var to = new ArrayList<T>(items.size());
            for (var start = 0; start < items.size(); start += 2 * width) {
                var middle = Math.min(start + width, items.size());
                var end = Math.min(start + 2 * width, items.size());
                merge(from.subList(start, middle), from.subList(middle, end), order, to);
            }
            from = to;
        }
        return from;
    }

    /** Leaves an ascending start in place, reverses a descending one, and inserts the remaining items one by one. */
    private static <T> void insertionSort(List<T> items, Comparator<T> order) {
        for (var next = ascendingStart(items, order); next < items.size(); next++) {
            var item = items.get(next);
            var low = 0;
            var high = next;
            while (low < high) {
                var middle = (low + high) >>> 1;
                if (order.compare(item, items.get(middle)) < 0) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            Collections.rotate(items.subList(low, next + 1), 1);
        }
    }

    /** Number of items at the start that are in order, after a descending start is reversed. */
    private static <T> int ascendingStart(List<T> items, Comparator<T> order) {
        if (items.size() < 2) {
            return items.size();
        }
        var isFalling = order.compare(items.get(1), items.get(0)) < 0;
        var end = 2;
        while (end < items.size() && order.compare(items.get(end), items.get(end - 1)) < 0 == isFalling) {
            end++;
        }
        if (isFalling) {
            Collections.reverse(items.subList(0, end));
        }
        return end;
    }

    private static <T> void merge(List<T> left, List<T> right, Comparator<T> order, List<T> into) {
        var i = 0;
        var j = 0;
        while (i < left.size() && j < right.size()) {
            into.add(order.compare(right.get(j), left.get(i)) < 0 ? right.get(j++) : left.get(i++));
        }
        into.addAll(left.subList(i, left.size()));
        into.addAll(right.subList(j, right.size()));
    }
}
