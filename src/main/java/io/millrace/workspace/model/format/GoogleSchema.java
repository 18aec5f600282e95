package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Set;

/**
 * Schemas as Gemini accepts them, a part of OpenAPI 3.0: every schema but an alternative has a type, {@code anyOf} has no
 * sibling keywords, enums are texts, objects have no empty list of properties, and texts no format but a time.
 */
final class GoogleSchema {
    private static final Set<String> REFUSED = Set.of("additionalProperties", "$schema", "default");
    private static final Set<String> FORMATS = Set.of("date-time", "enum");
    private static final String TYPE = "type";
    private static final String ANY_OF = "anyOf";
    private static final String DESCRIPTION = "description";
    private static final String PROPERTIES = "properties";

    private GoogleSchema() {}

    static ObjectNode of(JsonNode schema) {
        var written = Json.object();
        if (schema.path(ANY_OF) instanceof ArrayNode alternatives) {
            var own = written.putArray(ANY_OF);
            alternatives.forEach(alternative -> own.add(described(of(alternative), schema)));
            return written;
        }
        schema.properties().forEach(word -> {
            if (!REFUSED.contains(word.getKey())) {
                add(written, word.getKey(), word.getValue());
            }
        });
        if (!written.has(TYPE)) {
            // No type: a text can represent any value.
            written.put(TYPE, "string");
        }
        if (written.has("enum") && !written.path(TYPE).asText().equals("string")) {
            written.remove("enum");
        }
        return written;
    }

    private static void add(ObjectNode written, String word, JsonNode value) {
        switch (word) {
            case PROPERTIES -> {
                if (!value.isEmpty()) {
                    var own = written.putObject(PROPERTIES);
                    value.properties().forEach(property -> own.set(property.getKey(), of(property.getValue())));
                }
            }
            case "items" -> written.set(word, of(value));
            case "enum" -> {
                var texts = Json.array();
                value.forEach(one -> {
                    if (one.isTextual() && !one.asText().isEmpty()) {
                        texts.add(one);
                    }
                });
                if (!texts.isEmpty()) {
                    written.set(word, texts);
                }
            }
            case "format" -> {
                if (FORMATS.contains(value.asText())) {
                    written.set(word, value);
                }
            }
            default -> written.set(word, value);
        }
    }

    private static ObjectNode described(ObjectNode alternative, JsonNode whole) {
        if (!alternative.has(DESCRIPTION)
                && !alternative.has(ANY_OF)
                && whole.path(DESCRIPTION).isTextual()) {
            alternative.set(DESCRIPTION, whole.path(DESCRIPTION));
        }
        return alternative;
    }
}
