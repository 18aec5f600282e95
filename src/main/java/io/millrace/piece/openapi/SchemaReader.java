package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Reads schemas of all versions in one form: references resolved, {@code allOf} merged, one type without null. Bounded in
 * depth and in the number of merged parts.
 */
final class SchemaReader {
    static final int DEPTH_MAX = 32;
    static final int PARTS_MAX = 200;
    static final int PLAIN_DEPTH_MAX = 8;
    private static final int PLAIN_NODES_MAX = 200;
    private static final List<String> PLAIN_KEYS =
            List.of("type", "format", "description", "enum", "default", "required", "title", "pattern");
    private static final int TEXT_CHARACTERS_MAX = 120;

    private final DocumentReferences references;
    private int parts;

    SchemaReader(DocumentReferences references) {
        this.references = references;
    }

    /** The schema with its references and {@code allOf} resolved; empty object for a schema that permits everything. */
    ObjectNode effective(JsonNode schema) {
        parts = 0;
        return effective(schema, 0);
    }

    private ObjectNode effective(JsonNode schema, int depth) {
        parts++;
        if (!(references.resolve(schema) instanceof ObjectNode found) || depth > DEPTH_MAX || parts > PARTS_MAX) {
            return Json.object();
        }
        if (!found.path("allOf").isArray()) {
            return withOneType(found);
        }
        var merged = Json.object();
        for (var part : found.path("allOf")) {
            merge(merged, effective(part, depth + 1));
        }
        var own = Json.object();
        own.setAll(found);
        own.remove("allOf");
        merge(merged, withOneType(own));
        return merged;
    }

    private static void merge(ObjectNode into, ObjectNode from) {
        from.properties().forEach(field -> {
            var before = into.get(field.getKey());
            switch (field.getKey()) {
                case "properties" -> into.withObjectProperty("properties").setAll(objectOf(field.getValue()));
                case "required" -> {
                    var names = before instanceof ArrayNode list ? list.deepCopy() : Json.array();
                    field.getValue().forEach(names::add);
                    into.set("required", names);
                }
                default -> into.set(field.getKey(), field.getValue());
            }
        });
    }

    private static ObjectNode objectOf(JsonNode value) {
        return value instanceof ObjectNode object ? object : Json.object();
    }

    /** OpenAPI 3.1 has lists of types, in which null means nullable. */
    private static ObjectNode withOneType(ObjectNode schema) {
        if (schema.path("properties").isObject() && !schema.has("type")) {
            var typed = copy(schema);
            typed.put("type", "object");
            return typed;
        }
        if (!schema.path("type").isArray()) {
            return schema;
        }
        var types = schema.path("type")
                .valueStream()
                .map(JsonNode::asText)
                .filter(type -> !type.equals("null"))
                .distinct()
                .toList();
        var typed = copy(schema);
        if (types.size() == 1) {
            typed.put("type", types.getFirst());
        } else {
            typed.remove("type");
            typed.set("anyTypes", Json.mapper().valueToTree(types));
        }
        return typed;
    }

    private static ObjectNode copy(ObjectNode schema) {
        var copy = Json.object();
        copy.setAll(schema);
        return copy;
    }

    /** Alternatives of a schema without those that only permit null; empty when it has none. */
    List<ObjectNode> alternatives(ObjectNode schema) {
        var all = new ArrayList<ObjectNode>();
        for (var key : List.of("oneOf", "anyOf")) {
            for (var one : schema.path(key)) {
                var read = effective(one);
                if (!read.path("type").asText().equals("null")) {
                    all.add(read);
                }
            }
        }
        return all;
    }

    /** Fixed values of a schema, in order: of {@code enum}, {@code const}, or alternatives that have only such. */
    Optional<List<JsonNode>> choices(ObjectNode schema) {
        if (schema.path("enum").isArray()) {
            return Optional.of(schema.path("enum")
                    .valueStream()
                    .filter(value -> value.isValueNode() && !value.isNull())
                    .toList());
        }
        if (schema.has("const")) {
            return schema.path("const").isValueNode() ? Optional.of(List.of(schema.get("const"))) : Optional.empty();
        }
        var alternatives = alternatives(schema);
        var all = new ArrayList<JsonNode>();
        for (var one : alternatives) {
            if (!one.has("enum") && !one.has("const")) {
                return Optional.empty();
            }
            choices(one).ifPresent(all::addAll);
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /**
     * A schema without references, for descriptions and outputs: at most {@value #PLAIN_DEPTH_MAX} levels; a schema within
     * itself is cut.
     */
    ObjectNode plain(JsonNode schema) {
        return plain(schema, new ArrayDeque<>(), new int[1]);
    }

    private ObjectNode plain(JsonNode schema, Deque<String> path, int[] nodes) {
        var reference = DocumentReferences.referenceOf(schema);
        nodes[0]++;
        if (path.size() >= PLAIN_DEPTH_MAX
                || nodes[0] > PLAIN_NODES_MAX
                || !reference.isEmpty() && path.contains(reference)) {
            return Json.object();
        }
        path.push(reference);
        var read = effective(schema);
        var plain = Json.object();
        for (var key : PLAIN_KEYS) {
            var value = read.get(key);
            if (value != null) {
                plain.set(key, value.isTextual() ? Json.mapper().valueToTree(shortened(value.asText())) : value);
            }
        }
        if (read.path("properties").isObject()) {
            var properties = plain.putObject("properties");
            read.path("properties").properties().forEach(field -> {
                if (nodes[0] <= PLAIN_NODES_MAX) {
                    properties.set(field.getKey(), plain(field.getValue(), path, nodes));
                }
            });
        }
        if (read.has("items")) {
            plain.set("items", plain(read.get("items"), path, nodes));
        }
        var alternatives = read.has("oneOf") ? read.path("oneOf") : read.path("anyOf");
        if (alternatives.isArray()) {
            var list = plain.putArray("oneOf");
            alternatives.forEach(one -> {
                if (nodes[0] <= PLAIN_NODES_MAX) {
                    list.add(plain(one, path, nodes));
                }
            });
        }
        path.pop();
        return plain;
    }

    private static String shortened(String text) {
        return CutText.marked(text, TEXT_CHARACTERS_MAX, "…");
    }
}
