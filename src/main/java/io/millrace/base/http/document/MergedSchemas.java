package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges schemas that are made of others (allOf) into one object each, if all parts are plain objects. The source of the
 * document has parts for readability; generators of clients ignore that a field may be null when a schema inherits it
 * (decision 0442).
 */
final class MergedSchemas {
    private static final String PARTS = "allOf";
    private static final String REFERENCE = "$ref";
    private static final String FIELDS = "properties";
    private static final String REQUIRED = "required";
    private static final Set<String> PLAIN = Set.of("type", FIELDS, REQUIRED, "description", "examples", "title");

    private final JsonNode schemas;

    /** Names of schemas that were merged into others. */
    private final Set<String> parts = new HashSet<>();

    private MergedSchemas(ObjectNode document) {
        this.schemas = document.at("/components/schemas");
    }

    static void writeOut(ObjectNode document) {
        var merging = new MergedSchemas(document);
        merging.walk(document);
        merging.removeUnused(document);
    }

    private void removeUnused(ObjectNode document) {
        var used = new HashSet<String>();
        document.findValuesAsText(REFERENCE).forEach(reference -> used.add(nameOf(reference)));
        parts.stream().filter(name -> !used.contains(name)).forEach(((ObjectNode) schemas)::remove);
    }

    private void walk(JsonNode node) {
        if (node instanceof ObjectNode schema && schema.path(PARTS).isArray()) {
            merged(schema).ifPresent(whole -> {
                schema.path(PARTS).findValuesAsText(REFERENCE).forEach(reference -> parts.add(nameOf(reference)));
                schema.remove(PARTS);
                schema.setAll(whole);
            });
        }
        node.forEach(this::walk);
    }

    /** The schema as one object; empty if one object cannot express it. */
    private Optional<ObjectNode> merged(JsonNode schema) {
        var all = new ArrayList<JsonNode>();
        schema.path(PARTS).forEach(all::add);
        all.add(((ObjectNode) schema.deepCopy()).without(List.of(PARTS)));
        var whole = Json.object().put("type", "object");
        var fields = whole.putObject(FIELDS);
        var required = whole.putArray(REQUIRED);
        for (var part : all) {
            var resolved = resolved(part);
            Optional<? extends JsonNode> flat = resolved.has(PARTS) ? merged(resolved) : Optional.of(resolved);
            if (flat.isEmpty() || !isPlain(flat.get())) {
                return Optional.empty();
            }
            flat.get().path(FIELDS).properties().forEach(field -> add(fields, field));
            flat.get().path(REQUIRED).forEach(name -> add(required, name));
        }
        if (required.isEmpty()) {
            whole.remove(REQUIRED);
        }
        return Optional.of(whole);
    }

    private static void add(ObjectNode fields, Map.Entry<String, JsonNode> field) {
        fields.set(field.getKey(), field.getValue().deepCopy());
    }

    private static void add(ArrayNode required, JsonNode name) {
        if (required.valueStream().noneMatch(name::equals)) {
            required.add(name);
        }
    }

    private static boolean isPlain(JsonNode schema) {
        return schema.properties().stream().allMatch(field -> PLAIN.contains(field.getKey()))
                && schema.path("type").asText("object").equals("object");
    }

    private JsonNode resolved(JsonNode schema) {
        var found = schema;
        while (found.has(REFERENCE)) {
            found = schemas.path(nameOf(found.get(REFERENCE).asText()));
        }
        return found;
    }

    private static String nameOf(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }
}
