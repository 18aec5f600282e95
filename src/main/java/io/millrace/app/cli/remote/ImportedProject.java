package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Target definition of a project after an import: existing items stay, missing items are added, and an item that differs is a
 * conflict that the user has to resolve. Folders and variables are matched by name.
 */
final class ImportedProject {
    private static final String FLOWS = "flows";
    private static final String TABLES = "tables";
    private static final String CONNECTIONS = "connections";
    private static final String FOLDERS = "folders";
    private static final String VARIABLES = "variables";

    private static final Map<String, String> LISTS = Map.of("FLOW", FLOWS, "TABLE", TABLES, "CONNECTION", CONNECTIONS);

    /** Fields of a flow that its publication changes. */
    private static final Set<String> PUBLICATION = Set.of("/status", "/published");

    private ImportedProject() {}

    private static Map<String, JsonNode> byKey(JsonNode list, Function<JsonNode, String> key) {
        var items = new LinkedHashMap<String, JsonNode>();
        list.forEach(item -> items.put(key.apply(item), item));
        return items;
    }

    /** Merged definition; the export takes precedence where both differ. */
    static ObjectNode merged(ObjectNode present, ObjectNode exported) {
        var merged = Json.object();
        merged.set("formatVersion", exported.path("formatVersion"));
        for (var list : List.of(FLOWS, TABLES, CONNECTIONS)) {
            var items =
                    byKey(present.path(list), item -> item.path("externalId").asText());
            items.putAll(
                    byKey(exported.path(list), item -> item.path("externalId").asText()));
            merged.putArray(list).addAll(items.values());
        }
        merged.set(
                FOLDERS,
                presentFirst(
                        present,
                        exported,
                        FOLDERS,
                        item -> item.path("displayName").asText().toLowerCase(Locale.ROOT)));
        merged.set(
                VARIABLES,
                presentFirst(
                        present, exported, VARIABLES, item -> item.path("name").asText()));
        return merged;
    }

    private static ArrayNode presentFirst(
            ObjectNode present, ObjectNode exported, String list, Function<JsonNode, String> key) {
        var items = byKey(exported.path(list), key);
        items.putAll(byKey(present.path(list), key));
        return Json.array().addAll(items.values());
    }

    static ObjectNode withTablesOf(ObjectNode wanted, ObjectNode present) {
        var first = present.deepCopy();
        first.set(TABLES, wanted.path(TABLES));
        first.set(FOLDERS, wanted.path(FOLDERS));
        return first;
    }

    /** Existing items that a plan would change, with kind, key and name. */
    static List<JsonNode> conflicts(ObjectNode plan) {
        return plan.path("items")
                .valueStream()
                .filter(item -> item.path("action").asText().equals("UPDATE"))
                .filter(item -> LISTS.containsKey(item.path("kind").asText()))
                .toList();
    }

    /**
     * Returns true if a plan would only publish the flow. This is no conflict for a flow of an earlier import whose publication
     * is pending or has failed.
     */
    static boolean isPublicationOnly(JsonNode item) {
        return item.path("kind").asText().equals("FLOW")
                && item.path("steps").isEmpty()
                && item.path("fields")
                        .valueStream()
                        .map(field -> field.path("path").asText())
                        .allMatch(PUBLICATION::contains);
    }

    static Optional<String> nameOf(ObjectNode definition, String list, int number) {
        var item = definition.path(list).path(number);
        var name = item.path("displayName").asText(item.path("name").asText());
        var shown = item.at("/version/displayName").asText(name);
        return Optional.of(list.substring(0, list.length() - 1) + " \"" + shown + "\"")
                .filter(_ -> item.isObject());
    }

    /** The same definition, with the present items in place of conflicting ones. */
    static ObjectNode sparing(List<JsonNode> conflicts, ObjectNode present, ObjectNode merged) {
        var spared = merged.deepCopy();
        LISTS.forEach((kind, list) -> {
            var kept = conflicts.stream()
                    .filter(item -> item.path("kind").asText().equals(kind))
                    .map(item -> item.path("key").asText())
                    .collect(Collectors.toSet());
            spared.set(list, spared(kept, present.path(list), merged.path(list)));
        });
        return spared;
    }

    private static ArrayNode spared(Set<String> kept, JsonNode present, JsonNode merged) {
        var items = byKey(merged, item -> item.path("externalId").asText());
        byKey(present, item -> item.path("externalId").asText()).forEach((key, item) -> {
            if (kept.contains(key)) {
                items.put(key, item);
            }
        });
        return Json.array().addAll(items.values());
    }
}
