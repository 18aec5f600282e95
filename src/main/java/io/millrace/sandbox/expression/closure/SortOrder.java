package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.CodeStatement;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Order of a sort that gives one result in every algorithm: by the text of scalars, or by the difference of one number of each
 * element.
 *
 * @param keys members that lead from an element to its number; null for an order by texts
 */
record SortOrder(@Nullable List<String> keys, boolean isDescending) {
    static final SortOrder OF_TEXTS = new SortOrder(null, false);

    private record SortItem<K>(K key, JsonNode value) {}

    /** Order of a function such as {@code (a, b) => a.price - b.price}. */
    static SortOrder of(Syntax function, ClosureScope scope) {
        if (function instanceof Syntax.Arrow(var parameters, var body)
                && parameters.size() == 2
                && parameters.get(0) instanceof Binding.Name(var first)
                && parameters.get(1) instanceof Binding.Name(var second)
                && !first.equals(second)
                && returned(body) instanceof Syntax.Infix(var operator, var left, var right)
                && operator == InfixOperator.SUBTRACT) {
            var keys = path(left, first);
            if (keys != null && keys.equals(path(right, second))) {
                return new SortOrder(keys, false);
            }
            keys = path(left, second);
            if (keys != null && keys.equals(path(right, first))) {
                return new SortOrder(keys, true);
            }
        }
        throw new SubsetExit("an order that may contradict itself");
    }

    private static Syntax returned(Syntax body) {
        return body instanceof Syntax.Block(var statements)
                        && statements.size() == 1
                        && statements.getFirst() instanceof CodeStatement.Return(var value)
                ? value
                : body;
    }

    /** Names of the members that lead from a variable to a value; null for other expressions. */
    private static @Nullable List<String> path(Syntax syntax, String variable) {
        var names = new ArrayList<String>();
        var from = syntax;
        while (from instanceof Syntax.Member(var object, Syntax.Literal(var name), var isOptional)
                && !isOptional
                && name.isTextual()) {
            names.add(name.textValue());
            from = object;
        }
        return from instanceof Syntax.Local(var name) && name.equals(variable) ? names.reversed() : null;
    }

    JsonNode sorted(ArrayNode list, boolean copies, ClosureFrame frame) {
        var meter = frame.meter();
        var size = list.size();
        meter.spend((long) size * (2 + Integer.SIZE - Integer.numberOfLeadingZeros(size)));
        var values = keys == null ? byText(list, meter) : byNumber(list, meter);
        var result = copies ? Json.array() : list.removeAll();
        values.forEach(result::add);
        return result;
    }

    private List<JsonNode> byNumber(ArrayNode list, Meter meter) {
        var items = new ArrayList<SortItem<Double>>();
        for (var value : list) {
            var key = value;
            for (var name : keys) {
                meter.spend(1);
                key = ExactValues.member(key, name);
            }
            items.add(new SortItem<>(
                    ExactValues.number(ExactValues.numeric(key, meter)).doubleValue(), value));
        }
        Comparator<SortItem<Double>> order = Comparator.comparing(SortItem::key);
        items.sort(isDescending ? order.reversed() : order);
        return items.stream().map(SortItem::value).toList();
    }

    private static List<JsonNode> byText(ArrayNode list, Meter meter) {
        var items = new ArrayList<SortItem<String>>();
        for (var value : list) {
            if (!value.isTextual() && !value.isNumber()) {
                throw new SubsetExit("an order of values that are neither texts nor numbers");
            }
            items.add(new SortItem<>(ExactValues.text(value, meter), value));
        }
        items.sort((first, second) -> JsValues.compare(first.key(), second.key(), meter));
        return items.stream().map(SortItem::value).toList();
    }
}
