package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ToolSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The arguments of a tool: their JSON Schema, and the check of a call against it. */
public final class ToolInput {
    private static final String DESCRIPTION = "description";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";

    private final ObjectNode schema = Json.object().put("type", "object");

    private ToolInput() {
        schema.put("additionalProperties", false);
        schema.putObject(PROPERTIES);
    }

    public static ToolInput none() {
        return new ToolInput();
    }

    public static ToolInput of(ToolInput other) {
        var copy = new ToolInput();
        copy.schema.setAll(other.schema.deepCopy());
        return copy;
    }

    public ToolInput text(String name, String description) {
        return with(name, "string", description);
    }

    ToolInput choice(String name, String description, Class<? extends Enum<?>> type) {
        var words = Json.array();
        for (var constant : type.getEnumConstants()) {
            words.add(constant.name());
        }
        text(name, description);
        property(name).set("enum", words);
        return this;
    }

    ToolInput choice(String name, String description, String... words) {
        text(name, description);
        var choices = property(name).putArray("enum");
        for (var word : words) {
            choices.add(word);
        }
        return this;
    }

    ToolInput whole(String name, String description) {
        return with(name, "integer", description);
    }

    ToolInput flag(String name, String description) {
        return with(name, "boolean", description);
    }

    ToolInput object(String name, String description) {
        return with(name, "object", description);
    }

    /** A list; {@code items} sets the type of its elements, otherwise any type is allowed. */
    ToolInput list(String name, String description) {
        return with(name, "array", description);
    }

    static ToolInput of(ToolSchema schema) {
        var input = new ToolInput();
        input.schema.setAll(schema.schema());
        return input;
    }

    ToolInput with(String name, String type, String description) {
        var property = ((ObjectNode) schema.get(PROPERTIES)).putObject(name).put("type", type);
        if (type.equals("array")) {
            // Strict clients refuse all tools of a server if one list has no {@code items}.
            property.putObject("items");
        }
        if (!description.isEmpty()) {
            property.put(DESCRIPTION, description);
        }
        return this;
    }

    ToolInput with(String name, String keyword, JsonNode value) {
        property(name).set(keyword, value);
        return this;
    }

    public ToolInput requiring(String... names) {
        var required = schema.has(REQUIRED) ? (ArrayNode) schema.get(REQUIRED) : schema.putArray(REQUIRED);
        for (var name : names) {
            required.add(name);
        }
        return this;
    }

    private ObjectNode property(String name) {
        return (ObjectNode) schema.get(PROPERTIES).get(name);
    }

    ObjectNode schema() {
        return schema.deepCopy();
    }

    List<String> unknown(ObjectNode arguments) {
        return arguments
                .propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !schema.path(PROPERTIES).has(name))
                .map(name -> name + " is not an argument of this tool")
                .toList();
    }

    /** Validates the arguments of a call; returns messages that a model can act on, or an empty list. */
    List<String> objections(ObjectNode arguments) {
        var objections = new ArrayList<String>();
        schema.path(REQUIRED).forEach(name -> {
            if (!arguments.hasNonNull(name.asText())) {
                objections.add(name.asText() + " is missing");
            }
        });
        for (var property : schema.path(PROPERTIES).properties()) {
            var value = arguments.path(property.getKey());
            if (!value.isMissingNode() && !value.isNull()) {
                judge(property.getKey(), property.getValue(), value, objections);
            }
        }
        return objections;
    }

    private static void judge(String name, JsonNode wanted, JsonNode value, List<String> objections) {
        var type = wanted.path("type").asText();
        if (!isOf(type, value)) {
            objections.add(name + ": expected " + type + ", found " + kindOf(value));
            return;
        }
        var words = wanted.path("enum");
        if (words.isArray() && !contains(words, value)) {
            objections.add(name + ": expected one of " + words + ", found " + value);
        }
    }

    private static boolean contains(JsonNode words, JsonNode value) {
        for (var word : words) {
            if (word.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
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
