package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.Meter;

/** Data as it enters and leaves JavaScript: what changes on the way through JSON text leaves the subset. */
final class PlainData {
    /** Deepest output; a reader of JSON takes twice as much. */
    private static final int DEPTH_MAX = 100;

    private PlainData() {}

    static void require(JsonNode value, Meter meter) {
        meter.enter();
        switch (value) {
            case ObjectNode object -> {
                for (var property : object.properties()) {
                    requireText(property.getKey(), meter);
                    ExactValues.requirePlainKey(property.getKey());
                    require(property.getValue(), meter);
                }
            }
            case ArrayNode list -> {
                for (var item : list) {
                    require(item, meter);
                }
            }
            default -> requireScalar(value, meter);
        }
        meter.leave();
    }

    private static void requireScalar(JsonNode value, Meter meter) {
        var isPlain = switch (value.getNodeType()) {
            case STRING -> {
                requireText(value.textValue(), meter);
                yield true;
            }
            case NUMBER ->
                (value.isInt() || value.isLong() || value.isDouble())
                        && ExactValues.isExact(value.doubleValue())
                        && (!value.isLong() || Math.abs(value.longValue()) <= (long) JsNumbers.SAFE_INTEGER_MAX);
            case BOOLEAN, NULL -> true;
            case ARRAY, OBJECT, MISSING, POJO, BINARY -> false;
        };
        if (!isPlain) {
            throw new SubsetExit("a value that JSON text changes");
        }
    }

    /** Refuses a half of a surrogate pair, which UTF-8 cannot hold. */
    private static void requireText(String text, Meter meter) {
        meter.scan(text.length());
        for (var index = 0; index < text.length(); index++) {
            var character = text.charAt(index);
            if (Character.isSurrogate(character)) {
                if (Character.isLowSurrogate(character)
                        || ++index == text.length()
                        || !Character.isLowSurrogate(text.charAt(index))) {
                    throw new SubsetExit("half of a character");
                }
            }
        }
    }

    /** A copy as the server reads it from JSON text. */
    static JsonNode copy(JsonNode value, Meter meter) {
        return copy(value, DEPTH_MAX, meter);
    }

    private static JsonNode copy(JsonNode value, int depth, Meter meter) {
        if (depth == 0) {
            throw new SubsetExit("a deep output");
        }
        meter.spend(1);
        return switch (value) {
            case ObjectNode object -> {
                var copy = Json.object();
                for (var property : object.properties()) {
                    if (!property.getValue().isMissingNode()) {
                        requireText(property.getKey(), meter);
                        copy.set(property.getKey(), copy(property.getValue(), depth - 1, meter));
                    }
                }
                yield copy;
            }
            case ArrayNode list -> {
                var copy = Json.array();
                for (var item : list) {
                    copy.add(item.isMissingNode() ? NullNode.getInstance() : copy(item, depth - 1, meter));
                }
                yield copy;
            }
            default -> scalar(value, meter);
        };
    }

    private static JsonNode scalar(JsonNode value, Meter meter) {
        if (value.isTextual()) {
            requireText(value.textValue(), meter);
        }
        return value.isDouble() ? JsNumbers.node(value.doubleValue()) : value;
    }
}
