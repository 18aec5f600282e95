package console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What a JSON schema says, as a TypeScript type. Conditions between fields have no such type and are left out. */
final class SchemaTypes {
    String of(JsonNode schema) {
        if (schema.has("$ref")) {
            var reference = schema.path("$ref").asText();
            return reference.substring(reference.lastIndexOf('/') + 1);
        }
        var parts = new ArrayList<String>();
        if (schema.has("const")) {
            return schema.path("const").toString();
        }
        if (schema.has("enum")) {
            return choice(schema.path("enum"));
        }
        var own = own(schema);
        if (own != null) {
            parts.add(own);
        }
        schema.path("allOf").forEach(each -> parts.add(bracketed(of(each))));
        for (var alternatives : List.of(schema.path("anyOf"), schema.path("oneOf"))) {
            var choices = new ArrayList<String>();
            alternatives.forEach(each -> choices.add(of(each)));
            if (!choices.isEmpty() && !choices.stream().allMatch("unknown"::equals)) {
                parts.add("(" + String.join(" | ", choices) + ")");
            }
        }
        parts.removeIf("unknown"::equals);
        return parts.isEmpty() ? "unknown" : String.join(" & ", parts);
    }

    private static String choice(JsonNode values) {
        var choices = new ArrayList<String>();
        values.forEach(value -> choices.add(value.toString()));
        return "(" + String.join(" | ", choices) + ")";
    }

    private static String bracketed(String type) {
        return type.contains(" | ") && !type.startsWith("(") ? "(" + type + ")" : type;
    }

    private String own(JsonNode schema) {
        var type = schema.path("type");
        if (type.isArray()) {
            var choices = new ArrayList<String>();
            type.forEach(each -> choices.add(one(each.asText(), schema)));
            return "(" + String.join(" | ", choices) + ")";
        }
        if (type.isMissingNode()) {
            return schema.has("properties") || schema.has("required") ? object(schema) : null;
        }
        return one(type.asText(), schema);
    }

    private String one(String type, JsonNode schema) {
        return switch (type) {
            case "string" -> "string";
            case "integer", "number" -> "number";
            case "boolean" -> "boolean";
            case "null" -> "null";
            case "array" -> "Array<" + (schema.has("items") ? of(schema.path("items")) : "unknown") + ">";
            case "object" -> object(schema);
            default -> throw new IllegalArgumentException("a schema has the type " + type);
        };
    }

    private String object(JsonNode schema) {
        var required = new HashSet<String>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        var fields = new ArrayList<String>();
        for (var property : schema.path("properties").properties()) {
            var name = property.getKey();
            fields.add("'%s'%s: %s".formatted(name, required.remove(name) ? "" : "?", of(property.getValue())));
        }
        var more = schema.path("additionalProperties");
        var values = more.isObject() ? of(more) : "unknown";
        if (fields.isEmpty()) {
            return schema.has("required") && schema.path("properties").isMissingNode() && !schema.has("type")
                    ? "unknown"
                    : "{ [name: string]: " + values + " }";
        }
        var known = "{ " + String.join("; ", fields) + " }";
        return more.isObject() || more.asBoolean(false) ? "(" + known + " & { [name: string]: " + values + " })" : known;
    }
}
