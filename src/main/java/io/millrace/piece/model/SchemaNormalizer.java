package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Rewrites a schema with the keywords that every provider accepts; limited in depth, number of schemas and length. */
final class SchemaNormalizer {
    static final int DEPTH_MAX = 16;
    static final int SCHEMAS_MAX = 2_000;
    static final int LENGTH_MAX = 64 * 1024;
    static final int GIVEN_LENGTH_MAX = 256 * 1024;

    private static final Set<String> TYPES = Set.of("object", "array", "string", "number", "integer", "boolean");
    private static final Set<String> FORMATS = Set.of("date-time", "date", "time", "email", "uuid", "uri");
    private static final List<String> BOUNDS =
            List.of("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems");
    private static final int PATTERN_LENGTH_MAX = 200;
    private static final String TYPE = "type";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";
    private static final String ITEMS = "items";
    private static final String ANY_OF = "anyOf";
    private static final String ENUM = "enum";
    private static final String DESCRIPTION = "description";
    private static final String ADDITIONAL = "additionalProperties";

    private final JsonNode given;
    private final SchemaReferences references;
    private int schemas;

    SchemaNormalizer(JsonNode given) {
        this.given = given;
        this.references = new SchemaReferences(given);
    }

    ObjectNode root(SchemaKeys keys) {
        var takesAnything = given.isMissingNode() || given.isNull() || given.isBoolean() && given.booleanValue();
        if (!given.isObject() && !takesAnything) {
            throw new UnusableSchema("its schema is not a JSON Schema of an object");
        }
        if (Json.text(given).length() > GIVEN_LENGTH_MAX) {
            throw new UnusableSchema("its schema is longer than " + GIVEN_LENGTH_MAX + " characters");
        }
        var whole = references.resolved(given, List.of());
        var folded = folded(whole.schema(), whole.path());
        var types = typesOf(folded);
        if (!types.isEmpty() && !types.contains("object")) {
            throw new UnusableSchema("its schema is of type " + String.join(", ", types) + ", expected object");
        }
        folded.put(TYPE, "object");
        var normal = object(folded, keys, 0, whole.path());
        if (Json.text(normal).length() > LENGTH_MAX) {
            throw new UnusableSchema("its schema is longer than " + LENGTH_MAX + " characters");
        }
        return normal;
    }

    /** The root merged with its alternatives: properties of any of them; required where all of them require it. */
    private ObjectNode folded(ObjectNode schema, List<String> path) {
        var alternatives = alternativesOf(schema);
        if (alternatives.isEmpty()) {
            return Json.object().setAll(schema);
        }
        var objects = alternatives.stream()
                .filter(branch -> !isNull(branch))
                .map(branch -> references.resolved(branch, path))
                .map(branch -> folded(branch.schema(), branch.path()))
                .filter(branch -> typesOf(branch).isEmpty() || typesOf(branch).contains("object"))
                .toList();
        if (objects.isEmpty()) {
            throw new UnusableSchema("none of the alternatives of its schema is an object");
        }
        var folded = Json.object().<ObjectNode>setAll(schema);
        folded.remove(List.of(ANY_OF, "oneOf", ADDITIONAL));
        var properties = folded.putObject(PROPERTIES);
        schema.path(PROPERTIES)
                .properties()
                .forEach(property -> properties.set(property.getKey(), property.getValue()));
        objects.forEach(branch -> branch.path(PROPERTIES)
                .properties()
                .forEach(property -> SchemaReferences.unite(properties, property.getKey(), property.getValue())));
        var required = new LinkedHashSet<String>(namesIn(objects.getFirst()));
        objects.forEach(branch -> required.retainAll(namesIn(branch)));
        required.addAll(namesIn(schema));
        var names = folded.putArray(REQUIRED);
        required.forEach(names::add);
        return folded;
    }

    private static List<String> namesIn(JsonNode schema) {
        return StreamSupport.stream(schema.path(REQUIRED).spliterator(), false)
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .toList();
    }

    private static List<JsonNode> alternativesOf(JsonNode schema) {
        var alternatives = new ArrayList<JsonNode>();
        for (var word : List.of(ANY_OF, "oneOf")) {
            if (schema.path(word).isArray()) {
                schema.path(word).forEach(alternatives::add);
            }
        }
        return alternatives;
    }

    /** Types in their usual spelling, without null. */
    private static Set<String> typesOf(JsonNode schema) {
        var types = new LinkedHashSet<String>();
        var type = schema.path(TYPE);
        (type.isArray() ? type : Json.array().add(type)).forEach(word -> {
            var plain = word.asText("").toLowerCase(Locale.ROOT);
            if (TYPES.contains(plain)) {
                types.add(plain);
            }
        });
        if (types.isEmpty() && schema.path(PROPERTIES).isObject()) {
            types.add("object");
        } else if (types.isEmpty() && (schema.has(ITEMS) || schema.has("prefixItems"))) {
            types.add("array");
        }
        return types;
    }

    private ObjectNode normal(JsonNode node, SchemaKeys keys, int depth, List<String> path) {
        schemas++;
        if (schemas > SCHEMAS_MAX) {
            throw new UnusableSchema("its schema has more than " + SCHEMAS_MAX + " parts");
        }
        if (!node.isObject() || depth > DEPTH_MAX) {
            return Json.object();
        }
        var resolved = references.resolved(node, path);
        var schema = resolved.schema();
        var types = typesOf(schema);
        var alternatives = alternativesOf(schema);
        if (!alternatives.isEmpty() && !schema.path(PROPERTIES).isObject()) {
            return described(anyOf(alternatives, keys, depth, resolved.path()), schema);
        }
        if (types.size() > 1) {
            var single = types.stream()
                    .<JsonNode>map(
                            type -> Json.object().<ObjectNode>setAll(schema).put(TYPE, type))
                    .toList();
            return described(anyOf(single, keys, depth, resolved.path()), schema);
        }
        return switch (types.isEmpty() ? "" : types.iterator().next()) {
            case "object" -> object(folded(schema, resolved.path()), keys, depth, resolved.path());
            case "array" -> array(schema, keys, depth, resolved.path());
            case String type -> scalar(schema, type);
        };
    }

    private ObjectNode anyOf(List<JsonNode> alternatives, SchemaKeys keys, int depth, List<String> path) {
        var branches = new LinkedHashSet<ObjectNode>();
        for (var alternative : alternatives) {
            if (!isNull(alternative)) {
                branches.add(normal(alternative, keys, depth + 1, path));
            }
        }
        if (branches.size() == 1) {
            return branches.iterator().next();
        }
        var written = Json.object();
        // An alternative without a type accepts any value.
        if (branches.isEmpty() || branches.stream().anyMatch(branch -> !branch.has(TYPE) && !branch.has(ANY_OF))) {
            return written;
        }
        var first = branches.iterator().next();
        if (branches.stream()
                .allMatch(branch -> branch.has(ENUM) && branch.path(TYPE).equals(first.path(TYPE)))) {
            written.set(TYPE, first.path(TYPE));
            var values = new LinkedHashSet<JsonNode>();
            branches.forEach(branch -> branch.path(ENUM).forEach(values::add));
            return written.set(ENUM, Json.array().addAll(values));
        }
        return written.set(ANY_OF, Json.array().addAll(branches));
    }

    private static boolean isNull(JsonNode schema) {
        return schema.path(TYPE).asText("").equals("null")
                || schema.has("const") && schema.path("const").isNull();
    }

    private ObjectNode object(ObjectNode schema, SchemaKeys keys, int depth, List<String> path) {
        var written = described(Json.object().put(TYPE, "object"), schema);
        var properties = schema.path(PROPERTIES).properties();
        // Keys that can be sent unchanged keep their names, regardless of preceding keys.
        properties.stream().filter(one -> SchemaKeys.isSent(one.getKey())).forEach(one -> keys.sent(one.getKey()));
        var own = written.putObject(PROPERTIES);
        properties.forEach(property -> {
            var key = keys.sent(property.getKey());
            own.set(key, normal(property.getValue(), keys.of(key), depth + 1, path));
        });
        var names = new HashSet<String>();
        for (var name : namesIn(schema)) {
            if (schema.path(PROPERTIES).has(name) && names.add(name)) {
                written.withArrayProperty(REQUIRED).add(keys.sent(name));
            }
        }
        var additional = schema.path(ADDITIONAL);
        if (additional.isBoolean() && !schema.has("patternProperties")) {
            written.set(ADDITIONAL, additional);
        } else if (additional.isObject() && properties.isEmpty()) {
            written.set(ADDITIONAL, normal(additional, new SchemaKeys(), depth + 1, path));
        }
        return written;
    }

    private ObjectNode array(ObjectNode schema, SchemaKeys keys, int depth, List<String> path) {
        var written = described(Json.object().put(TYPE, "array"), schema);
        var alternatives = new ArrayList<JsonNode>();
        schema.path("prefixItems").forEach(alternatives::add);
        if (schema.path(ITEMS).isArray()) {
            schema.path(ITEMS).forEach(alternatives::add);
        } else if (schema.path(ITEMS).isObject() || alternatives.isEmpty()) {
            alternatives.add(schema.path(ITEMS));
        }
        written.set(ITEMS, anyOf(alternatives, keys.ofItems(), depth, path));
        return bounded(written, schema);
    }

    private static ObjectNode scalar(ObjectNode schema, String type) {
        var written = described(Json.object(), schema);
        var values = Json.array();
        var allowed = schema.has("const") ? Json.array().add(schema.path("const")) : schema.path(ENUM);
        allowed.forEach(value -> {
            if (value.isValueNode() && !value.isNull()) {
                values.add(value);
            }
        });
        var known = type.isEmpty() && !values.isEmpty() ? typeOf(values) : type;
        if (!known.isEmpty()) {
            written.put(TYPE, known);
        }
        if (!values.isEmpty() && typeOf(values).equals(known.equals("integer") ? "number" : known)) {
            written.set(ENUM, values);
        }
        if (FORMATS.contains(schema.path("format").asText(""))) {
            written.set("format", schema.path("format"));
        }
        return bounded(written, schema);
    }

    private static String typeOf(ArrayNode values) {
        var isText = true;
        var isNumber = true;
        var isFlag = true;
        for (var value : values) {
            isText &= value.isTextual();
            isNumber &= value.isNumber();
            isFlag &= value.isBoolean();
        }
        return isText ? "string" : isNumber ? "number" : isFlag ? "boolean" : "";
    }

    private static ObjectNode bounded(ObjectNode written, ObjectNode schema) {
        BOUNDS.stream()
                .filter(word -> schema.path(word).isNumber())
                .forEach(word -> written.set(word, schema.path(word)));
        if (schema.path("default").isValueNode() && !schema.path("default").isNull()) {
            written.set("default", schema.path("default"));
        }
        return written;
    }

    /** A pattern becomes part of the description, because some providers reject most regular expressions. */
    private static ObjectNode described(ObjectNode written, ObjectNode schema) {
        var text = schema.path(DESCRIPTION).asText(schema.path("title").asText(""));
        var pattern = schema.path("pattern").asText("");
        if (!pattern.isEmpty() && pattern.length() <= PATTERN_LENGTH_MAX) {
            text = (text.isEmpty() ? "" : text + " ") + "Pattern: " + pattern;
        }
        if (!text.isEmpty()) {
            written.put(DESCRIPTION, text);
        }
        return written;
    }
}
