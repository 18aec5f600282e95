package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ToolSchema;
import io.millrace.piece.property.Property;
import java.util.Map;
import java.util.Optional;

final class ToolSchemas {
    private ToolSchemas() {}

    static ObjectNode object() {
        var schema = Json.object().put("type", "object");
        schema.putObject("properties");
        schema.putArray("required");
        return schema;
    }

    /** The properties of an action that the model fills in (contract agents 5.1). */
    static ObjectNode ofProperties(Map<String, Property> properties, JsonNode predefined) {
        var schema = object();
        properties.forEach((name, property) -> {
            var mode = predefined.path(name).path("mode").asText("agent-decide");
            if (mode.equals("agent-decide")) {
                typeOf(property).ifPresent(type -> {
                    if (property.description() != null
                            || !property.displayName().isEmpty()) {
                        type.put(
                                "description",
                                property.description() == null
                                        ? property.displayName()
                                        : property.displayName() + ": " + property.description());
                    }
                    schema.withObjectProperty("properties").set(name, type);
                    if (property.required()) {
                        schema.withArrayProperty("required").add(name);
                    }
                });
            }
        });
        return schema;
    }

    private static Optional<ObjectNode> typeOf(Property property) {
        return switch (property.type()) {
            case SHORT_TEXT, LONG_TEXT, DATE_TIME, FILE, COLOR, DROPDOWN -> Optional.of(type("string"));
            case NUMBER -> Optional.of(type("number"));
            case CHECKBOX -> Optional.of(type("boolean"));
            case OBJECT, JSON, DYNAMIC -> Optional.of(type("object"));
            case STATIC_DROPDOWN -> Optional.of(choice(property));
            case ARRAY -> Optional.of(array(items(property)));
            case MULTI_SELECT_DROPDOWN -> Optional.of(array(type("string")));
            case STATIC_MULTI_SELECT_DROPDOWN -> Optional.of(array(choice(property)));
            case MARKDOWN, OAUTH2, SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, CUSTOM, OIDC -> Optional.empty();
        };
    }

    private static ObjectNode type(String name) {
        return Json.object().put("type", name);
    }

    private static ObjectNode array(ObjectNode items) {
        var array = type("array");
        array.set("items", items);
        return array;
    }

    private static ObjectNode items(Property property) {
        return property.properties().isEmpty() ? type("string") : ofProperties(property.properties(), Json.object());
    }

    private static ObjectNode choice(Property property) {
        var choice = Json.object();
        var values = choice.putArray("enum");
        property.options().forEach(option -> values.add(option.value()));
        return choice;
    }

    /** The parameters of a flow's MCP trigger (contract flows-and-engine 28.3). */
    static ObjectNode ofParameters(JsonNode parameters) {
        var schema = object();
        for (var parameter : parameters) {
            var name = parameter.path("name").asText("");
            if (!name.isEmpty()) {
                schema.withObjectProperty("properties")
                        .putObject(name)
                        .put("type", typeOf(parameter.path("type").asText("")))
                        .put("description", parameter.path("description").asText(""));
                if (parameter.path("required").asBoolean(false)) {
                    schema.withArrayProperty("required").add(name);
                }
            }
        }
        return schema;
    }

    private static String typeOf(String word) {
        return switch (word) {
            case "Boolean" -> "boolean";
            case "Number" -> "number";
            case "Array" -> "array";
            case "Object" -> "object";
            default -> "string";
        };
    }

    /** The completion tool: one value for each wanted field (contract agents 5.2). */
    static ToolSchema ofCompletion(JsonNode fields) {
        var schema = object();
        schema.withObjectProperty("properties").set("output", ofFields(fields));
        schema.withArrayProperty("required").add("output");
        return ToolSchema.of(schema);
    }

    static Optional<ToolSchema> ofStructuredOutput(JsonNode fields) {
        return fields.isEmpty() ? Optional.empty() : Optional.of(ToolSchema.of(ofFields(fields)));
    }

    private static ObjectNode ofFields(JsonNode fields) {
        var output = object();
        for (var field : fields) {
            var type = field.path("type").asText();
            output.withObjectProperty("properties")
                    .putObject(field.path("displayName").asText())
                    .put("type", type.equals("text") ? "string" : type)
                    .put("description", field.path("description").asText(""));
            output.withArrayProperty("required").add(field.path("displayName").asText());
        }
        return output;
    }
}
