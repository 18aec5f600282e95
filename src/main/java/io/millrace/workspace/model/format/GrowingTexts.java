package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Text fields of JSON objects that arrive in many pieces, joined once. A join for each piece takes time with the square of the
 * text: ten megabytes of small pieces held an event loop for half a minute.
 */
final class GrowingTexts {
    private final IdentityHashMap<ObjectNode, Map<String, StringBuilder>> texts = new IdentityHashMap<>();

    /** Appends to a field, which keeps its earlier text until {@link #finish}. */
    void append(ObjectNode owner, String name, String more) {
        texts.computeIfAbsent(owner, _ -> new HashMap<>())
                .computeIfAbsent(name, _ -> new StringBuilder(owner.path(name).asText("")))
                .append(more);
    }

    boolean hasGrownTo(ObjectNode owner, String name, String text) {
        var grown = texts.getOrDefault(owner, Map.of()).get(name);
        return grown != null && grown.length() == text.length() && text.contentEquals(grown);
    }

    /** Drops what a field has grown to; it keeps its earlier text. */
    void forget(ObjectNode owner, String name) {
        texts.getOrDefault(owner, new HashMap<>()).remove(name);
    }

    void finish() {
        texts.forEach((owner, fields) -> fields.forEach((name, text) -> owner.put(name, text.toString())));
        texts.clear();
    }
}
