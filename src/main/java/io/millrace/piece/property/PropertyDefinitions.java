package io.millrace.piece.property;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Properties as JSON and back (contract pieces 2.3, flows-and-engine 29). */
public final class PropertyDefinitions {
    private PropertyDefinitions() {}

    public static ObjectNode write(Map<String, Property> props) {
        var definitions = Json.object();
        props.forEach((name, property) -> definitions.set(name, write(property)));
        return definitions;
    }

    private static ObjectNode write(Property property) {
        var definition = Json.object();
        definition.put("type", property.type().name());
        definition.put("displayName", property.displayName());
        if (property.description() != null) {
            definition.put("description", property.description());
        }
        definition.put("required", property.required());
        if (property.defaultValue() != null) {
            definition.set("defaultValue", property.defaultValue());
        }
        switch (property.type()) {
            case STATIC_DROPDOWN, STATIC_MULTI_SELECT_DROPDOWN -> definition.set("options", options(property));
            case DROPDOWN, MULTI_SELECT_DROPDOWN, DYNAMIC ->
                definition.set("refreshers", Json.mapper().valueToTree(property.refreshers()));
            case ARRAY -> {
                if (!property.properties().isEmpty()) {
                    definition.set("properties", write(property.properties()));
                }
            }
            case SHORT_TEXT, LONG_TEXT, MARKDOWN, NUMBER, CHECKBOX, OAUTH2, SECRET_TEXT, OBJECT, BASIC_AUTH, JSON -> {}
            case CUSTOM_AUTH, DATE_TIME, FILE, CUSTOM, COLOR, OIDC -> {}
        }
        definition.setAll(property.extras());
        return definition;
    }

    private static ObjectNode options(Property property) {
        var choices = Json.array();
        for (var option : property.options()) {
            var choice = Json.object().put("label", option.label());
            choice.set("value", option.value());
            choices.add(choice);
        }
        var options = Json.object();
        options.set("options", choices);
        return options;
    }

    /**
     * Parses stored definitions, such as the saved schema of a DYNAMIC property. Entries without a known property type
     * are omitted; a value without a definition is passed to the piece unchanged.
     */
    public static Map<String, Property> read(JsonNode definitions) {
        var props = new LinkedHashMap<String, Property>();
        for (var entry : definitions.properties()) {
            typeOf(entry.getValue().path("type").asText())
                    .ifPresent(type -> props.put(entry.getKey(), read(type, entry.getValue())));
        }
        return props;
    }

    public static ObjectNode customAuth(Map<String, Property> fields) {
        var auth = Json.object()
                .put("type", PropertyType.CUSTOM_AUTH.name())
                .put("displayName", "Connection")
                .put("required", true);
        auth.set("props", write(fields));
        return auth;
    }

    private static Property read(PropertyType type, JsonNode definition) {
        return Property.of(
                        type,
                        definition.path("displayName").asText(),
                        definition.path("required").asBoolean())
                .describedAs(definition.path("description").asText(null))
                .defaultingTo(definition.get("defaultValue"))
                .withItems(type == PropertyType.ARRAY ? read(definition.path("properties")) : Map.of());
    }

    private static Optional<PropertyType> typeOf(String name) {
        return Arrays.stream(PropertyType.values())
                .filter(type -> type.name().equals(name))
                .findFirst();
    }
}
