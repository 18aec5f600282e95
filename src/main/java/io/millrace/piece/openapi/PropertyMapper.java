package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.millrace.piece.property.PropertyType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

final class PropertyMapper {
    static final int OPTIONS_MAX = 300;
    private static final int ITEM_PROPERTIES_MAX = 30;
    private static final int DESCRIPTION_CHARACTERS_MAX = 1_000;
    private static final int SCHEMA_CHARACTERS_MAX = 1_500;
    private static final int LONG_TEXT_FROM = 1_000;
    private static final List<String> LONG_FORMATS = List.of("html", "markdown", "textarea", "xml", "byte");

    private final SchemaReader schemas;

    PropertyMapper(SchemaReader schemas) {
        this.schemas = schemas;
    }

    Property property(String name, JsonNode schema, String description, boolean required) {
        var read = schemas.effective(schema);
        var title = read.path("title").asText("");
        var text = description.isEmpty() ? read.path("description").asText("") : description;
        var base = typed(label(name, title), schema, read, required);
        var more = base.description() == null ? "" : base.description();
        var full = Texts.joined(Texts.shortened(text, DESCRIPTION_CHARACTERS_MAX), more);
        var described = full.isEmpty() ? base : base.describedAs(full);
        var fallback = defaultOf(read, described.type()).or(() -> onlyChoice(described));
        return fallback.map(described::defaultingTo).orElse(described);
    }

    /** A name in words when it is one word of a program, else as it is. */
    static String label(String name, String title) {
        if (!title.isBlank() && title.length() <= 100) {
            return title.strip();
        }
        var words = name.replaceAll("([a-z0-9])([A-Z])", "$1 $2")
                .replaceAll("[_\\-.\\[\\]]+", " ")
                .strip();
        if (words.isEmpty()) {
            return name;
        }
        return words.substring(0, words.offsetByCodePoints(0, 1)).toUpperCase(Locale.ROOT)
                + words.substring(words.offsetByCodePoints(0, 1));
    }

    private Property typed(String label, JsonNode schema, ObjectNode read, boolean required) {
        var choices = schemas.choices(read);
        if (choices.isPresent() && !choices.get().isEmpty() && choices.get().size() <= OPTIONS_MAX) {
            return Property.of(PropertyType.STATIC_DROPDOWN, label, required).withOptions(options(choices.get()));
        }
        return switch (read.path("type").asText("")) {
            case "string" -> Property.of(textType(read), label, required);
            case "integer", "number" -> Property.of(PropertyType.NUMBER, label, required);
            case "boolean" -> Property.of(PropertyType.CHECKBOX, label, required);
            case "array" -> array(label, schema, read, required);
            case "object" -> object(label, schema, read, required);
            default -> other(label, schema, read, required);
        };
    }

    private static PropertyType textType(ObjectNode read) {
        var format = read.path("format").asText("");
        if (isFile(read)) {
            return PropertyType.FILE;
        }
        if (format.equals("date-time")) {
            return PropertyType.DATE_TIME;
        }
        return LONG_FORMATS.contains(format) || read.path("maxLength").asInt(0) >= LONG_TEXT_FROM
                ? PropertyType.LONG_TEXT
                : PropertyType.SHORT_TEXT;
    }

    /** True for the bytes of a file: OpenAPI 3.1 has a media type without an encoding in place of the format. */
    static boolean isFile(JsonNode read) {
        if (read.path("format").asText().equals("binary")) {
            return true;
        }
        var type = read.path("contentMediaType").asText("").toLowerCase(Locale.ROOT);
        return !type.isEmpty()
                && read.path("contentEncoding").asText("").isEmpty()
                && !type.startsWith("text/")
                && !type.endsWith("json")
                && !type.endsWith("xml");
    }

    private Property array(String label, JsonNode schema, ObjectNode read, boolean required) {
        var items = schemas.effective(read.path("items"));
        var choices = schemas.choices(items);
        if (choices.isPresent() && !choices.get().isEmpty() && choices.get().size() <= OPTIONS_MAX) {
            return Property.of(PropertyType.STATIC_MULTI_SELECT_DROPDOWN, label, required)
                    .withOptions(options(choices.get()));
        }
        if (isFlatText(items)) {
            return Property.of(PropertyType.ARRAY, label, required);
        }
        return flatObject(items)
                .map(fields -> Property.of(PropertyType.ARRAY, label, required).withItems(fields))
                .orElseGet(() -> json(label, schema, required));
    }

    /** Items of a list of texts are texts; numbers would lose their type. */
    private static boolean isFlatText(ObjectNode items) {
        return items.path("type").asText().equals("string") && !isFile(items);
    }

    private Optional<Map<String, Property>> flatObject(ObjectNode items) {
        var properties = items.path("properties");
        if (!items.path("type").asText().equals("object")
                || properties.isEmpty()
                || properties.size() > ITEM_PROPERTIES_MAX) {
            return Optional.empty();
        }
        var fields = new LinkedHashMap<String, Property>();
        for (var entry : properties.properties()) {
            var field = schemas.effective(entry.getValue());
            if (!List.of("string", "integer", "number", "boolean")
                            .contains(field.path("type").asText())
                    || isFile(field)) {
                return Optional.empty();
            }
            if (!field.path("readOnly").asBoolean()) {
                fields.put(
                        entry.getKey(),
                        property(entry.getKey(), entry.getValue(), "", isRequired(items, entry.getKey())));
            }
        }
        return fields.isEmpty() ? Optional.empty() : Optional.of(fields);
    }

    static boolean isRequired(ObjectNode schema, String name) {
        return schema.path("required")
                .valueStream()
                .anyMatch(one -> one.asText().equals(name));
    }

    private Property object(String label, JsonNode schema, ObjectNode read, boolean required) {
        var values = schemas.effective(read.path("additionalProperties"));
        var isMap = read.path("properties").isEmpty() && !read.has("oneOf") && !read.has("anyOf");
        return isMap && (values.isEmpty() || values.path("type").asText().equals("string"))
                ? Property.of(PropertyType.OBJECT, label, required)
                : json(label, schema, required);
    }

    /** Alternatives of plain values are a text field; everything else is JSON with its schema in the description. */
    private Property other(String label, JsonNode schema, ObjectNode read, boolean required) {
        var alternatives = schemas.alternatives(read);
        if (alternatives.size() == 1 && !alternatives.getFirst().has("allOf")) {
            return typed(label, schema, alternatives.getFirst(), required);
        }
        var isText = !alternatives.isEmpty()
                && alternatives.stream()
                        .allMatch(one -> one.path("type").asText().equals("string"));
        return isText ? Property.of(PropertyType.SHORT_TEXT, label, required) : json(label, schema, required);
    }

    private Property json(String label, JsonNode schema, boolean required) {
        var text = Json.text(schemas.plain(schema));
        return Property.of(PropertyType.JSON, label, required)
                .describedAs("JSON of this schema: " + Texts.shortened(text, SCHEMA_CHARACTERS_MAX));
    }

    private static List<Option> options(List<JsonNode> values) {
        return values.stream()
                .distinct()
                .map(value -> new Option(Texts.shortened(value.asText(), 200), value))
                .toList();
    }

    private static Optional<JsonNode> onlyChoice(Property property) {
        return property.required() && property.options().size() == 1
                ? Optional.of(property.options().getFirst().value())
                : Optional.empty();
    }

    private static Optional<JsonNode> defaultOf(ObjectNode read, PropertyType type) {
        var value = read.get("default");
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        var fits = switch (type) {
            case NUMBER -> value.isNumber();
            case CHECKBOX -> value.isBoolean();
            case SHORT_TEXT, LONG_TEXT -> value.isTextual();
            case STATIC_DROPDOWN -> value.isValueNode();
            case ARRAY, STATIC_MULTI_SELECT_DROPDOWN -> value.isArray();
            case OBJECT -> value.isObject();
            case JSON -> true;
            default -> false;
        };
        return fits ? Optional.of(value) : Optional.empty();
    }
}
