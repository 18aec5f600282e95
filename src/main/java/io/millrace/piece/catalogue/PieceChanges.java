package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Differences between two versions of a piece that affect its users: added or removed parts and properties, and
 * properties that became required or changed their type. Pure.
 *
 * @param authChanged true if the accepted kinds of credentials differ
 */
public record PieceChanges(
        String name, String from, String to, boolean authChanged, List<Part> actions, List<Part> triggers) {
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }

    /** Unchanged actions and triggers are omitted. */
    public record Part(String name, Kind kind, List<ChangedProperty> properties) {
        public Part {
            properties = List.copyOf(properties);
        }
    }

    public enum Change {
        ADDED,
        ADDED_REQUIRED,
        REMOVED,
        NOW_REQUIRED,
        OTHER_TYPE
    }

    /**
     * A property of a part.
     *
     * @param isList true if it is a list now
     */
    public record ChangedProperty(String name, Change change, boolean isList) {}

    public PieceChanges {
        actions = List.copyOf(actions);
        triggers = List.copyOf(triggers);
    }

    public static PieceChanges between(JsonNode from, JsonNode to) {
        return new PieceChanges(
                to.path("name").asText(),
                from.path("version").asText(),
                to.path("version").asText(),
                !authTypes(from.path("auth")).equals(authTypes(to.path("auth"))),
                parts(from.path("actions"), to.path("actions")),
                parts(from.path("triggers"), to.path("triggers")));
    }

    private static TreeSet<String> authTypes(JsonNode auth) {
        var types = new TreeSet<String>();
        for (var definition : auth.isArray() ? auth : List.of(auth)) {
            if (definition.has("type")) {
                types.add(definition.path("type").asText());
            }
        }
        return types;
    }

    private static List<Part> parts(JsonNode from, JsonNode to) {
        var changed = new ArrayList<Part>();
        from.properties().stream()
                .filter(before -> !to.has(before.getKey()))
                .forEach(before -> changed.add(new Part(before.getKey(), Kind.REMOVED, List.of())));
        to.properties().forEach(after -> {
            var before = from.get(after.getKey());
            if (before == null) {
                changed.add(new Part(after.getKey(), Kind.ADDED, List.of()));
                return;
            }
            var properties = properties(before.path("props"), after.getValue().path("props"));
            if (!properties.isEmpty()) {
                changed.add(new Part(after.getKey(), Kind.CHANGED, properties));
            }
        });
        return changed;
    }

    private static List<ChangedProperty> properties(JsonNode from, JsonNode to) {
        var changed = new ArrayList<ChangedProperty>();
        from.properties().stream()
                .filter(before -> !to.has(before.getKey()))
                .forEach(before -> changed.add(new ChangedProperty(before.getKey(), Change.REMOVED, false)));
        to.properties()
                .forEach(after -> change(from.get(after.getKey()), after.getValue())
                        .ifPresent(change -> changed.add(new ChangedProperty(
                                after.getKey(),
                                change,
                                after.getValue().path("type").asText().equals("ARRAY")))));
        return changed;
    }

    private static Optional<Change> change(JsonNode before, JsonNode after) {
        var isRequired = after.path("required").asBoolean();
        if (before == null) {
            return Optional.of(isRequired ? Change.ADDED_REQUIRED : Change.ADDED);
        }
        if (!before.path("type").equals(after.path("type"))) {
            return Optional.of(Change.OTHER_TYPE);
        }
        return isRequired && !before.path("required").asBoolean() ? Optional.of(Change.NOW_REQUIRED) : Optional.empty();
    }

    /** Returns whether flows that work with the former version may fail with the new one. */
    public boolean isBreaking() {
        return authChanged
                || Stream.of(actions, triggers)
                        .flatMap(List::stream)
                        .anyMatch(part -> part.kind() == Kind.REMOVED
                                || part.properties().stream()
                                        .anyMatch(property ->
                                                part.kind() == Kind.CHANGED && property.change() != Change.ADDED));
    }

    public boolean isExtending() {
        return Stream.of(actions, triggers).anyMatch(parts -> !parts.isEmpty());
    }

    /** Empty when the part is unchanged. */
    public Optional<Part> part(boolean isTrigger, String part) {
        return (isTrigger ? triggers : actions)
                .stream().filter(changed -> changed.name().equals(part)).findFirst();
    }

    public ObjectNode toJson() {
        var json =
                Json.object().put("name", name).put("from", from).put("to", to).put("authChanged", authChanged);
        json.set("actions", partsJson(actions));
        json.set("triggers", partsJson(triggers));
        return json;
    }

    private static ArrayNode partsJson(List<Part> parts) {
        var list = Json.array();
        for (var part : parts) {
            var properties = list.addObject()
                    .put("name", part.name())
                    .put("change", part.kind().name())
                    .putArray("properties");
            part.properties()
                    .forEach(property -> properties
                            .addObject()
                            .put("name", property.name())
                            .put("change", property.change().name()));
        }
        return list;
    }
}
