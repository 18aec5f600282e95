package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.ArrayDeque;

/**
 * A schema of the API document as a self-contained JSON Schema with all its references, for editors and for checks of files.
 * OpenAPI 3.1 uses the same dialect, so nothing but the references changes.
 */
final class PublishedSchema {
    private static final String COMPONENTS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";
    private static final String REFERENCE = "$ref";

    private final JsonNode components;
    private final ObjectNode definitions = Json.object();
    private final ArrayDeque<String> wanted = new ArrayDeque<>();

    private PublishedSchema(JsonNode document) {
        components = document.at("/components/schemas");
    }

    static ObjectNode of(JsonNode document, String name) {
        var published = new PublishedSchema(document);
        published.want(name);
        while (!published.wanted.isEmpty()) {
            var next = published.wanted.pop();
            published.definitions.set(next, published.moved(published.components.required(next)));
        }
        var schema = Json.object()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", name)
                .put(REFERENCE, DEFINITIONS + name);
        return schema.set("$defs", published.definitions);
    }

    private void want(String name) {
        if (!definitions.has(name)) {
            definitions.putObject(name);
            wanted.add(name);
        }
    }

    private JsonNode moved(JsonNode schema) {
        return switch (schema) {
            case ObjectNode object -> {
                var copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), moved(field.getKey(), field.getValue())));
                yield copy;
            }
            case ArrayNode list -> {
                var copy = Json.array();
                list.forEach(item -> copy.add(moved(item)));
                yield copy;
            }
            default -> schema;
        };
    }

    private JsonNode moved(String key, JsonNode value) {
        if (!key.equals(REFERENCE) || !value.asText().startsWith(COMPONENTS)) {
            return moved(value);
        }
        var name = value.asText().substring(COMPONENTS.length());
        want(name);
        return TextNode.valueOf(DEFINITIONS + name);
    }
}
