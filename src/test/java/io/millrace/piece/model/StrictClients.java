package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rules of the strictest clients and providers for schemas of tools. Sources: Anthropic, Messages API, errors for
 * {@code tools.N.custom.input_schema} (root type object, keys of properties {@code ^[a-zA-Z0-9_.-]{1,64}$}, no oneOf,
 * allOf or anyOf at the root); OpenAI, function calling guide (names {@code ^[a-zA-Z0-9_-]{1,64}$}, "array schema
 * missing items", root of type object); VS Code, validation of MCP tools (array without items disables the tool);
 * Gemini, Schema of the v1beta API (no $ref, required properties are declared).
 */
public final class StrictClients {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");
    private static final Set<String> TYPES = Set.of("object", "array", "string", "number", "integer", "boolean");
    private static final Set<String> WORDS = Set.of(
            "type",
            "description",
            "properties",
            "required",
            "items",
            "enum",
            "anyOf",
            "additionalProperties",
            "format",
            "default",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems");

    private StrictClients() {}

    /** The violations; empty for none. */
    public static List<String> objections(String name, JsonNode schema) {
        var found = new ArrayList<String>();
        if (!NAME.matcher(name).matches()) {
            found.add("name " + name);
        }
        if (!schema.path("type").asText("").equals("object")) {
            found.add(name + ": root is " + schema.path("type"));
        }
        if (schema.has("anyOf")) {
            found.add(name + ": anyOf at the root");
        }
        judge(name, schema, 0, found);
        return found;
    }

    private static void judge(String at, JsonNode schema, int depth, List<String> found) {
        if (!schema.isObject() || depth > 40) {
            found.add(at + ": expected a schema, found " + schema.getNodeType());
            return;
        }
        schema.fieldNames().forEachRemaining(word -> {
            if (!WORDS.contains(word)) {
                found.add(at + ": keyword " + word);
            }
        });
        var type = schema.path("type");
        if (schema.has("type") && !TYPES.contains(type.asText(""))) {
            found.add(at + ": type " + type);
        }
        if (type.asText("").equals("array") && !schema.path("items").isObject()) {
            found.add(at + ": array without items");
        }
        if (schema.has("enum") && schema.path("enum").isEmpty()) {
            found.add(at + ": empty enum");
        }
        schema.path("properties").properties().forEach(property -> {
            if (!KEY.matcher(property.getKey()).matches()) {
                found.add(at + ": key " + property.getKey());
            }
            judge(at + "." + property.getKey(), property.getValue(), depth + 1, found);
        });
        schema.path("required").forEach(required -> {
            if (!schema.path("properties").has(required.asText())) {
                found.add(at + ": requires " + required);
            }
        });
        if (schema.has("items")) {
            judge(at + "[]", schema.path("items"), depth + 1, found);
        }
        schema.path("anyOf").forEach(branch -> judge(at + "|", branch, depth + 1, found));
    }
}
