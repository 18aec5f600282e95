package io.millrace.piece.openapi;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Resolves {@code $ref} within one document. A reference to another document or a chain without an end is recorded as a gap
 * and resolves to nothing.
 */
final class DocumentReferences {
    private static final String REF = "$ref";
    private static final int CHAIN_MAX = 32;

    private final ObjectNode document;
    private final Map<String, String> problems = new TreeMap<>();

    DocumentReferences(ObjectNode document) {
        this.document = document;
    }

    Map<String, String> problems() {
        return problems;
    }

    /**
     * The value that a reference points to; other values unchanged. Siblings of a reference are added, as OpenAPI 3.1
     * has them.
     */
    JsonNode resolve(JsonNode value) {
        var siblings = Json.object();
        var seen = new HashSet<String>();
        var current = value == null ? MissingNode.getInstance() : value;
        while (current.path(REF).isTextual()) {
            var reference = current.path(REF).asText();
            current.properties().forEach(field -> {
                if (!field.getKey().equals(REF) && !siblings.has(field.getKey())) {
                    siblings.set(field.getKey(), field.getValue());
                }
            });
            if (!seen.add(reference) || seen.size() > CHAIN_MAX) {
                problems.put(reference, "the reference leads back to itself");
                return MissingNode.getInstance();
            }
            current = target(reference);
        }
        if (siblings.isEmpty() || !(current instanceof ObjectNode object)) {
            return current;
        }
        var merged = object.deepCopy();
        merged.setAll(siblings);
        return merged;
    }

    /** Text of the reference of a value; empty text when it is none. */
    static String referenceOf(JsonNode value) {
        return value.path(REF).asText("");
    }

    private JsonNode target(String reference) {
        if (!reference.startsWith("#")) {
            problems.put(reference, "references to other documents are not followed: bundle the document first");
            return MissingNode.getInstance();
        }
        try {
            var pointer = URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
            var found = document.at(JsonPointer.compile(pointer));
            if (found.isMissingNode()) {
                problems.put(reference, "the document has nothing there");
            }
            return found;
        } catch (IllegalArgumentException malformed) {
            problems.put(reference, "expected a JSON pointer such as #/components/schemas/Pet");
            return MissingNode.getInstance();
        }
    }
}
