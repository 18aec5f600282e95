package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Original keys of the properties of a schema, by the keys that are sent, with those of the schemas in it. */
final class SchemaKeys {
    private static final int LENGTH_MAX = 64;
    private static final Pattern REFUSED = Pattern.compile("[^A-Za-z0-9_.-]");

    private final Map<String, String> originals = new HashMap<>();
    private final Map<String, SchemaKeys> properties = new HashMap<>();
    private SchemaKeys items;

    /** The key that is sent for a property; the same for every alternative that has the property. */
    String sent(String original) {
        for (var known : originals.entrySet()) {
            if (known.getValue().equals(original)) {
                return known.getKey();
            }
        }
        var plain = REFUSED.matcher(original).replaceAll("_");
        var key = plain.isEmpty() ? "_" : CutText.of(plain, LENGTH_MAX);
        for (var number = 2; originals.containsKey(key); number++) {
            var suffix = "_" + number;
            key = CutText.of(plain, LENGTH_MAX - suffix.length()) + suffix;
        }
        originals.put(key, original);
        return key;
    }

    static boolean isSent(String key) {
        return !key.isEmpty()
                && key.length() <= LENGTH_MAX
                && !REFUSED.matcher(key).find();
    }

    SchemaKeys of(String sent) {
        return properties.computeIfAbsent(sent, _ -> new SchemaKeys());
    }

    SchemaKeys ofItems() {
        items = items == null ? new SchemaKeys() : items;
        return items;
    }

    /** True if every key is sent unchanged. */
    boolean isEmpty() {
        return originals.entrySet().stream().allMatch(key -> key.getKey().equals(key.getValue()))
                && properties.values().stream().allMatch(SchemaKeys::isEmpty)
                && (items == null || items.isEmpty());
    }

    /** A value under the keys that are sent; a model may write the original ones. */
    JsonNode sent(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                var sent = Json.object();
                object.properties().forEach(field -> {
                    var key = originals.containsKey(field.getKey()) ? field.getKey() : sentOr(field.getKey());
                    var inner = properties.get(key);
                    sent.set(key, inner == null ? field.getValue() : inner.sent(field.getValue()));
                });
                yield sent;
            }
            case ArrayNode array
            when items != null -> {
                var sent = Json.array();
                array.forEach(item -> sent.add(items.sent(item)));
                yield sent;
            }
            default -> value;
        };
    }

    private String sentOr(String original) {
        return originals.entrySet().stream()
                .filter(known -> known.getValue().equals(original))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(original);
    }

    JsonNode restored(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                var restored = Json.object();
                object.properties().forEach(field -> {
                    var inner = properties.get(
                            originals.containsKey(field.getKey()) ? field.getKey() : sentOr(field.getKey()));
                    restored.set(
                            originals.getOrDefault(field.getKey(), field.getKey()),
                            inner == null ? field.getValue() : inner.restored(field.getValue()));
                });
                yield restored;
            }
            case ArrayNode array
            when items != null -> {
                var restored = Json.array();
                array.forEach(item -> restored.add(items.restored(item)));
                yield restored;
            }
            default -> value;
        };
    }
}
