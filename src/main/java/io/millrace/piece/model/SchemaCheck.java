package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Validates a value against a schema as {@link SchemaNormalizer} writes it: types, required properties, enums, items
 * and alternatives.
 */
final class SchemaCheck {
    private static final int OBJECTIONS_MAX = 10;

    private final List<String> objections = new ArrayList<>();

    private SchemaCheck() {}

    /** First problem of a value, as an instruction for a model; empty when the value is valid. */
    static List<String> objections(JsonNode schema, JsonNode value) {
        var check = new SchemaCheck();
        check.judge("", schema, value);
        return check.objections.stream().limit(OBJECTIONS_MAX).toList();
    }

    private void judge(String at, JsonNode schema, JsonNode value) {
        if (schema.path("anyOf").isArray()) {
            var fits = schema.path("anyOf")
                    .valueStream()
                    .anyMatch(branch -> objections(branch, value).isEmpty());
            object(!fits, at, "matches none of the alternatives");
            return;
        }
        var type = schema.path("type").asText("");
        if (!isOf(type, value)) {
            object(true, at, "expected " + type + ", found " + kindOf(value));
            return;
        }
        var allowed = schema.path("enum");
        object(
                allowed.isArray() && allowed.valueStream().noneMatch(one -> isSame(one, value)),
                at,
                "expected one of " + allowed);
        for (var name : schema.path("required")) {
            object(!value.has(name.asText()), at + "/" + name.asText(), "is missing");
        }
        schema.path("properties").properties().forEach(property -> {
            var inner = value.path(property.getKey());
            // Null means absent for an optional value.
            var isLeftOut = inner.isMissingNode() || inner.isNull() && !isRequired(schema, property.getKey());
            if (!isLeftOut) {
                judge(at + "/" + property.getKey(), property.getValue(), inner);
            }
        });
        if (value.isArray() && schema.has("items")) {
            for (var place = 0; place < value.size() && objections.size() < OBJECTIONS_MAX; place++) {
                judge(at + "/" + place, schema.path("items"), value.get(place));
            }
        }
    }

    private void object(boolean isWrong, String at, String objection) {
        if (isWrong && objections.size() < OBJECTIONS_MAX) {
            objections.add((at.isEmpty() ? "the value" : at.substring(1)) + ": " + objection);
        }
    }

    private static boolean isRequired(JsonNode schema, String name) {
        return schema.path("required")
                .valueStream()
                .anyMatch(one -> one.asText().equals(name));
    }

    private static boolean isSame(JsonNode one, JsonNode value) {
        return one.isNumber() && value.isNumber()
                ? one.decimalValue().compareTo(value.decimalValue()) == 0
                : one.equals(value);
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber() || value.isNumber() && value.asDouble() % 1 == 0;
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> true;
        };
    }

    private static String kindOf(JsonNode value) {
        return value.isTextual() ? "string" : value.getNodeType().name().toLowerCase(Locale.ROOT);
    }
}
