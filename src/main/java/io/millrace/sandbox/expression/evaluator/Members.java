package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.OpaqueValue;

/** Reads a member of any value, as {@code value[key]} does. */
public final class Members {
    private Members() {}

    public static JsonNode get(JsonNode value, JsonNode key, Evaluator evaluator) {
        if (JsValues.isNullish(value)) {
            throw JsError.type("cannot read a member of nothing");
        }
        if (value instanceof ArrayNode list && key.isInt()) {
            var item = list.get(key.intValue());
            return item == null ? MissingNode.getInstance() : item;
        }
        var name = evaluator.text(key);
        evaluator.meter().key(name);
        if (value.isPojo()) {
            return ofOpaque(OpaqueValue.in(value), name);
        }
        var match = evaluator.matchDetails(value);
        if (match != null && match.member(name) != null) {
            return match.member(name);
        }
        return MemberPath.MemberKey.of(name).of(value);
    }

    /** {@code name in value}. */
    static boolean has(JsonNode value, String name, Meter meter) {
        meter.key(name);
        return switch (value) {
            case ObjectNode object -> object.has(name);
            case ArrayNode list -> !MemberPath.MemberKey.of(name).of(list).isMissingNode();
            default -> throw JsError.type("cannot use 'in' to search a scalar");
        };
    }

    static JsonNode regex(JsPattern pattern) {
        return new POJONode(new OpaqueValue.Regex(pattern));
    }

    private static JsonNode ofOpaque(OpaqueValue value, String name) {
        return switch (value) {
            case OpaqueValue.Callable callable -> callable.members().getOrDefault(name, MissingNode.getInstance());
            case OpaqueValue.Regex(var pattern) ->
                switch (name) {
                    case "source" -> TextNode.valueOf(pattern.source());
                    case "flags" -> TextNode.valueOf(pattern.flags());
                    default -> MissingNode.getInstance();
                };
            case OpaqueValue.Moment _ -> MissingNode.getInstance();
            case null -> MissingNode.getInstance();
        };
    }
}
