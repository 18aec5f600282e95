package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.FormulaDateText;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.OpaqueValue;

/**
 * Converts values that JSON lacks: dates become texts, undefined becomes null in a list and disappears from an object. Every node
 * and character is metered again: a small value may contain the same node a million times, and its JSON text has all of them.
 *
 * <p>"Changed" means another node, so nodes are compared by identity.
 */
@SuppressWarnings("ReferenceEquality") // identity says whether a node was changed
public final class Results {
    private Results() {}

    /** Returns the same node if there is nothing to change. */
    public static JsonNode clean(JsonNode value, Meter meter) {
        meter.enter();
        var result = switch (value) {
            case ObjectNode object -> cleanObject(object, meter);
            case ArrayNode list -> cleanList(list, meter);
            case TextNode text -> {
                meter.scan(text.textValue().length());
                yield text;
            }
            default -> value.isPojo() ? plain(OpaqueValue.in(value)) : value;
        };
        meter.leave();
        return result;
    }

    private static JsonNode plain(OpaqueValue value) {
        return switch (value) {
            case OpaqueValue.Moment(var time) ->
                Double.isFinite(time) ? TextNode.valueOf(FormulaDateText.iso(time)) : NullNode.getInstance();
            case OpaqueValue.Regex _ -> Json.object();
            case OpaqueValue.Callable _ -> MissingNode.getInstance();
            case null -> NullNode.getInstance();
        };
    }

    private static JsonNode cleanList(ArrayNode list, Meter meter) {
        ArrayNode copy = null;
        for (var i = 0; i < list.size(); i++) {
            meter.element();
            var item = list.get(i);
            var cleaned = clean(item, meter);
            if (cleaned.isMissingNode()) {
                cleaned = NullNode.getInstance();
            }
            if (cleaned != item && copy == null) {
                copy = Json.array();
                for (var j = 0; j < i; j++) {
                    copy.add(list.get(j));
                }
            }
            if (copy != null) {
                copy.add(cleaned);
            }
        }
        return copy == null ? list : copy;
    }

    private static JsonNode cleanObject(ObjectNode object, Meter meter) {
        ObjectNode copy = null;
        for (var property : object.properties()) {
            meter.element();
            var cleaned = clean(property.getValue(), meter);
            if (cleaned.isMissingNode() || cleaned != property.getValue()) {
                copy = copy == null ? Json.object().setAll(object) : copy;
                copy.set(property.getKey(), cleaned);
            }
        }
        if (copy != null) {
            copy.properties().removeIf(property -> property.getValue().isMissingNode());
        }
        return copy == null ? object : copy;
    }
}
