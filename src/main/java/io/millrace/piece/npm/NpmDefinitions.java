package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Handshake;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.millrace.piece.property.PropertyType;
import io.millrace.sandbox.npm.BadPackage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Parses the description of a package (contract pieces 2.2). Descriptions are untrusted: missing or mistyped values get
 * defaults.
 */
final class NpmDefinitions {
    private static final int METADATA_BYTES_MAX = 4 << 20;

    private NpmDefinitions() {}

    static PieceSpec spec(PackageId id, JsonNode metadata) {
        var auth = metadata.path("auth");
        return new PieceSpec(
                id.name(),
                metadata.path("displayName").asText(id.name()),
                metadata.path("description").asText(""),
                metadata.path("logoUrl").asText(""),
                texts(metadata.path("authors")),
                texts(metadata.path("categories")),
                List.of(id.version()),
                auth.isObject() || auth.isArray() && !auth.isEmpty() ? auth : null);
    }

    /** Returns whether a package uses the oldest context version, which is not declared in metadata (pieces 1.1). */
    static boolean isOldest(JsonNode metadata) {
        return metadata.path("contextInfo").path("version").asText().isEmpty();
    }

    static ActionSpec action(String name, JsonNode definition) {
        var hidden =
                definition.at("/errorHandlingOptions/continueOnFailure/hide").asBoolean();
        return new ActionSpec(
                name,
                definition.path("displayName").asText(name),
                definition.path("description").asText(""),
                props(definition.path("props")),
                definition.path("requireAuth").asBoolean(true),
                !hidden,
                false);
    }

    static TriggerSpec trigger(String name, JsonNode definition) {
        return new TriggerSpec(
                name,
                definition.path("displayName").asText(name),
                definition.path("description").asText(""),
                props(definition.path("props")),
                definition.path("requireAuth").asBoolean(true),
                option(TriggerSpec.Strategy.class, definition.path("type"), TriggerSpec.Strategy.WEBHOOK),
                definition.path("sampleData"),
                option(
                        TriggerSpec.TestStrategy.class,
                        definition.path("testStrategy"),
                        TriggerSpec.TestStrategy.SIMULATION));
    }

    static Handshake handshake(JsonNode configuration) {
        var strategy = option(Handshake.Strategy.class, configuration.path("strategy"), Handshake.Strategy.NONE);
        return strategy == Handshake.Strategy.NONE
                ? Handshake.NONE
                : new Handshake(strategy, configuration.path("paramName").asText());
    }

    /** Properties in the package's order; a property of an unknown type is passed unchanged (pieces 6). */
    private static Map<String, Property> props(JsonNode definitions) {
        var known = PropertyDefinitions.read(definitions);
        var props = new LinkedHashMap<String, Property>();
        definitions.properties().forEach(entry -> {
            var definition = entry.getValue();
            props.put(
                    entry.getKey(),
                    known.getOrDefault(
                            entry.getKey(),
                            Property.of(
                                    PropertyType.CUSTOM,
                                    definition.path("displayName").asText(entry.getKey()),
                                    definition.path("required").asBoolean())));
        });
        return props;
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    static <E extends Enum<E>> E option(Class<E> type, JsonNode name, E otherwise) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(name.asText()))
                .findFirst()
                .orElse(otherwise);
    }

    /** Validates a description: it must have a name and maps of actions and triggers. */
    static void check(JsonNode metadata) throws BadPackage {
        if (!metadata.isObject()
                || !metadata.path("displayName").isTextual()
                || !metadata.path("actions").isObject()
                || !metadata.path("triggers").isObject()) {
            throw new BadPackage("the piece does not describe itself: expected displayName, actions and triggers");
        }
        for (var part : List.of(metadata.path("actions"), metadata.path("triggers"))) {
            for (var entry : part.properties()) {
                if (!entry.getValue().isObject()
                        || entry.getValue().has("props")
                                && !entry.getValue().path("props").isObject()) {
                    throw new BadPackage("the piece does not describe " + entry.getKey());
                }
            }
        }
        if (Json.bytes(metadata).length > METADATA_BYTES_MAX) {
            throw new BadPackage("expected a description of at most " + METADATA_BYTES_MAX + " bytes");
        }
    }
}
