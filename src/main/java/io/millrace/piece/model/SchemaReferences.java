package io.millrace.piece.model;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Resolves {@code $ref} and {@code allOf} of one schema. Only references within the document are followed; a recursive
 * schema is expanded once, and accepts any value below.
 */
final class SchemaReferences {
    private static final String REFERENCE = "$ref";
    private static final String ALL_OF = "allOf";
    private static final int REPEATS_MAX = 2;
    private static final int PATH_MAX = 64;
    private static final int RESOLUTIONS_MAX = 10_000;

    private final JsonNode document;
    private int resolutions;

    SchemaReferences(JsonNode document) {
        this.document = document;
    }

    /**
     * A schema without references at its own level.
     *
     * @param path references that led there, for those within it
     */
    record FlatSchema(ObjectNode schema, List<String> path) {}

    FlatSchema resolved(JsonNode node, List<String> path) {
        resolutions++;
        if (resolutions > RESOLUTIONS_MAX) {
            throw new UnusableSchema("its schema has more than " + RESOLUTIONS_MAX + " parts");
        }
        var followed = new ArrayList<>(path);
        var schema = copyOf(node);
        while (schema.path(REFERENCE).isTextual()) {
            var reference = schema.remove(REFERENCE).asText();
            if (followed.size() >= PATH_MAX || Collections.frequency(followed, reference) >= REPEATS_MAX) {
                break;
            }
            followed.add(reference);
            schema = overlaid(targetOf(reference), schema);
        }
        schema.remove(REFERENCE);
        if (schema.remove(ALL_OF) instanceof ArrayNode parts && followed.size() < PATH_MAX) {
            for (var part : parts) {
                var resolved = resolved(part, followed);
                schema = merged(schema, resolved.schema());
                followed = new ArrayList<>(resolved.path());
            }
        }
        return new FlatSchema(schema, List.copyOf(followed));
    }

    /** A shallow copy; nested values are shared and not changed. */
    private static ObjectNode copyOf(JsonNode node) {
        return node instanceof ObjectNode object ? Json.object().setAll(object) : Json.object();
    }

    private ObjectNode targetOf(String reference) {
        try {
            var target = reference.equals("#")
                    ? document
                    : reference.startsWith("#/")
                            ? document.at(JsonPointer.compile(
                                    URLDecoder.decode(reference.substring(1), StandardCharsets.UTF_8)))
                            : Json.object();
            return copyOf(target);
        } catch (IllegalArgumentException malformed) {
            return Json.object();
        }
    }

    /** Keywords next to a reference override those of its target. */
    private static ObjectNode overlaid(ObjectNode target, ObjectNode siblings) {
        return target.setAll(siblings);
    }

    private static ObjectNode merged(ObjectNode schema, ObjectNode part) {
        part.properties().forEach(word -> {
            switch (word.getKey()) {
                case "properties" -> {
                    var properties = copyOf(schema.path("properties"));
                    schema.set("properties", properties);
                    word.getValue()
                            .properties()
                            .forEach(property -> properties.set(property.getKey(), property.getValue()));
                }
                case "required" -> {
                    var names = Json.array().addAll(arrayOf(schema.path("required")));
                    schema.set("required", names.addAll(arrayOf(word.getValue())));
                }
                default -> {
                    if (!schema.has(word.getKey())) {
                        schema.set(word.getKey(), word.getValue());
                    }
                }
            }
        });
        return schema;
    }

    private static ArrayNode arrayOf(JsonNode value) {
        return value instanceof ArrayNode array ? array : Json.array();
    }

    static void unite(ObjectNode properties, String name, JsonNode schema) {
        var known = properties.path(name);
        if (known.isMissingNode()) {
            properties.set(name, schema);
        } else if (!known.equals(schema)) {
            var alternatives = known.size() == 1 && known.path("anyOf") instanceof ArrayNode several
                    ? several.deepCopy()
                    : Json.array().add(known);
            properties.set(name, Json.object().set("anyOf", alternatives.add(schema)));
        }
    }
}
