package io.millrace.piece.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceMetadata;
import io.millrace.piece.catalogue.CatalogueEntry;
import io.millrace.piece.npm.PackageId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * An index of published pieces, read from the format of piece lists (contract flows-and-engine 29). Untrusted input: an
 * entry that is not an official package at an exact version is omitted. Pure.
 *
 * @param entries in the order of the index
 */
record FeedIndex(List<CatalogueEntry> entries) {
    static final FeedIndex EMPTY = new FeedIndex(List.of());

    private static final int ENTRIES_MAX = 5_000;
    private static final int PARTS_MAX = 1_000;
    private static final int TEXT_CHARACTERS_MAX = 2_000;
    private static final List<String> COPIED = List.of(
            "authors",
            "categories",
            "auth",
            "minimumSupportedRelease",
            "maximumSupportedRelease",
            "versionRange",
            "authKinds");

    FeedIndex {
        entries = List.copyOf(entries);
    }

    /** The index shipped with the server: {@code {date, pieces}}. */
    static FeedIndex ofServer(JsonNode index) {
        return of(
                index.path("pieces"),
                LocalDate.parse(index.path("date").asText())
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant());
    }

    /**
     * Parses a list of pieces.
     *
     * @param at creation time for entries without one
     */
    static FeedIndex of(JsonNode list, Instant at) {
        var byName = new LinkedHashMap<String, CatalogueEntry>();
        for (var listed : list) {
            var id = new PackageId(
                    listed.path("name").asText(), listed.path("version").asText());
            if (byName.size() < ENTRIES_MAX && listed.isObject() && id.isOfficial()) {
                byName.putIfAbsent(id.name(), entry(id, (ObjectNode) listed, at));
            }
        }
        return new FeedIndex(List.copyOf(byName.values()));
    }

    private static CatalogueEntry entry(PackageId id, ObjectNode listed, Instant at) {
        var displayName = text(listed, "displayName", id.name());
        var description = text(listed, "description", "");
        var actions = definitions(listed.path("actions"), listed.path("suggestedActions"));
        var triggers = definitions(listed.path("triggers"), listed.path("suggestedTriggers"));
        var created = instant(listed.path("created"), at);
        var updated = instant(listed.path("updated"), at);
        var summary = Json.object()
                .put("id", PieceMetadata.idOf(id.name()))
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", id.name())
                .put("version", id.version())
                .put("displayName", displayName)
                .put("description", description)
                .put("logoUrl", text(listed, "logoUrl", ""))
                .put("pieceType", "OFFICIAL")
                .put("packageType", "REGISTRY")
                .put("minimumSupportedRelease", "0.0.0")
                .put("maximumSupportedRelease", "999.999.999")
                .put("installed", false)
                .put("actions", counted(listed.path("actions"), actions))
                .put("triggers", counted(listed.path("triggers"), triggers));
        summary.putArray("authors");
        summary.putArray("categories");
        COPIED.stream()
                .filter(field -> hasRightKind(field, listed.path(field)))
                .forEach(field -> summary.set(field, listed.get(field)));
        var parts = Json.object();
        parts.set("actions", actions);
        parts.set("triggers", triggers);
        return new CatalogueEntry(
                id.name(),
                id.version(),
                displayName,
                texts(summary.path("categories")),
                new CatalogueEntry.Times(created, updated),
                CatalogueEntry.searched(displayName, id.name(), description),
                new CatalogueEntry.Parts(parts(actions), parts(triggers)),
                new CatalogueEntry.EntryDocuments(summary, () -> parts));
    }

    private static boolean hasRightKind(String field, JsonNode value) {
        return switch (field) {
            case "authors", "categories", "authKinds" ->
                value.isArray() && value.valueStream().allMatch(JsonNode::isTextual);
            case "auth" -> value.isObject() || value.isArray();
            case "minimumSupportedRelease", "maximumSupportedRelease" -> value.isTextual();
            default -> value.isObject();
        };
    }

    /** Lists count the parts and name some of them besides; whole descriptions have them by name. */
    private static ObjectNode definitions(JsonNode byName, JsonNode listed) {
        var definitions = Json.object();
        var named = byName.isObject() ? byName : listed;
        for (var definition : named) {
            var name = definition.path("name").asText();
            if (definition.isObject() && !name.isEmpty() && definitions.size() < PARTS_MAX) {
                definitions.set(name, definition);
            }
        }
        return definitions;
    }

    private static int counted(JsonNode told, ObjectNode definitions) {
        return told.isInt() && told.asInt() >= 0 ? told.asInt() : definitions.size();
    }

    private static List<CatalogueEntry.Part> parts(ObjectNode definitions) {
        var parts = new ArrayList<CatalogueEntry.Part>();
        definitions
                .properties()
                .forEach(entry -> parts.add(CatalogueEntry.Part.of(
                        entry.getKey(),
                        text(entry.getValue(), "displayName", entry.getKey()),
                        text(entry.getValue(), "description", ""))));
        return parts;
    }

    private static Set<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
    }

    private static String text(JsonNode holder, String field, String otherwise) {
        var value = holder.path(field);
        if (!value.isTextual()) {
            return otherwise;
        }
        var text = value.asText();
        return CutText.of(text, TEXT_CHARACTERS_MAX);
    }

    private static Instant instant(JsonNode text, Instant otherwise) {
        try {
            return text.isTextual() ? Instant.parse(text.asText()) : otherwise;
        } catch (DateTimeParseException noTime) {
            return otherwise;
        }
    }
}
