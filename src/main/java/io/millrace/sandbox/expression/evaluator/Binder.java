package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Gives the parameters of an arrow function their values. */
final class Binder {
    private Binder() {}

    static void bind(Evaluator evaluator, List<Binding> targets, List<JsonNode> values, CallFrame frame) {
        for (var i = 0; i < targets.size(); i++) {
            evaluator.meter().spend(1);
            if (targets.get(i) instanceof Binding.Rest(var target)) {
                var rest = evaluator.newList();
                values.subList(Math.min(i, values.size()), values.size()).forEach(value -> evaluator.add(rest, value));
                bindOne(evaluator, target, rest, frame);
                return;
            }
            bindOne(evaluator, targets.get(i), i < values.size() ? values.get(i) : MissingNode.getInstance(), frame);
        }
    }

    private static void bindOne(Evaluator evaluator, Binding target, JsonNode value, CallFrame frame) {
        switch (target) {
            case Binding.Name(var name) -> frame.put(name, value);
            case Binding.Elements(var elements) when elements.isEmpty() -> {}
            case Binding.Elements(var elements) -> {
                bind(evaluator, elements, firstElements(evaluator, value, elements), frame);
            }
            case Binding.ObjectPattern(var fields) -> bindFields(evaluator, fields, value, frame);
            case Binding.Rest(var rest) -> bindOne(evaluator, rest, value, frame);
        }
    }

    private static List<JsonNode> firstElements(Evaluator evaluator, JsonNode value, List<Binding> targets) {
        var hasRest = targets.getLast() instanceof Binding.Rest;
        var values = new ArrayList<JsonNode>();
        for (var element : evaluator.elementsOf(value)) {
            if (!hasRest && values.size() == targets.size()) {
                break;
            }
            evaluator.meter().element();
            values.add(element);
        }
        return values;
    }

    private static void bindFields(Evaluator evaluator, List<Binding.Field> fields, JsonNode value, CallFrame frame) {
        if (JsValues.isNullish(value)) {
            throw JsError.type("cannot destructure nothing");
        }
        var taken = new HashSet<String>();
        for (var field : fields) {
            evaluator.meter().spend(1);
            if (field.target() instanceof Binding.Rest(var target)) {
                var rest = evaluator.newObject();
                if (value instanceof ObjectNode object) {
                    object.properties().stream()
                            .filter(property -> !taken.contains(property.getKey()))
                            .forEach(property -> evaluator.put(rest, property.getKey(), property.getValue()));
                }
                bindOne(evaluator, target, rest, frame);
            } else {
                taken.add(field.key());
                var member = Members.get(value, TextNode.valueOf(field.key()), evaluator);
                bindOne(evaluator, field.target(), member, frame);
            }
        }
    }
}
