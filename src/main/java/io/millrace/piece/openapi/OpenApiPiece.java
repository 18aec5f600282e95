package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A piece whose description and requests come from an OpenAPI document. Immutable. */
public final class OpenApiPiece implements Piece {
    private final Label label;
    private final PieceSpec spec;
    private final ObjectNode metadata;
    private final Map<String, Action> actions;

    public record Label(
            String id, Instant created, Instant updated, Optional<String> platformId, String name, String version) {}

    /** @param metadata the stored description, made by {@link DocumentConverter} */
    public OpenApiPiece(Label label, ObjectNode metadata, OutboundHttp http) {
        this.label = label;
        var stored = metadata.path(DocumentConverter.PLANS);
        this.metadata = metadata;
        var auth = metadata.path("auth");
        this.spec = new PieceSpec(
                label.name(),
                metadata.path("displayName").asText(label.name()),
                metadata.path("description").asText(""),
                metadata.path("logoUrl").asText(""),
                texts(metadata.path("authors")),
                texts(metadata.path("categories")),
                List.of(label.version()),
                auth.isContainerNode() && !auth.isEmpty() ? auth : null);
        var found = new LinkedHashMap<String, Action>();
        metadata.path("actions")
                .properties()
                .forEach(entry -> found.put(
                        entry.getKey(),
                        new OpenApiAction(
                                http,
                                action(entry.getKey(), entry.getValue()),
                                RequestPlan.read(stored.path("actions").path(entry.getKey())),
                                stored)));
        this.actions = Collections.unmodifiableMap(found);
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    private static ActionSpec action(String name, JsonNode definition) {
        Map<String, Property> props = PropertyDefinitions.read(definition.path("props"));
        return new ActionSpec(
                name,
                definition.path("displayName").asText(name),
                definition.path("description").asText(""),
                props,
                definition.path("requireAuth").asBoolean(),
                true,
                false);
    }

    boolean hasContent(ObjectNode other) {
        return content(metadata).equals(content(other));
    }

    /** Different options may give the same requests. */
    private static String content(ObjectNode metadata) {
        var content = metadata.deepCopy();
        if (content.path(DocumentConverter.PLANS) instanceof ObjectNode plans) {
            plans.remove(DocumentConverter.OPTIONS);
        }
        return Json.text(content);
    }

    /** Options of the conversion, as a request has them; an empty object for none. */
    ObjectNode options() {
        if (!(metadata.path(DocumentConverter.PLANS).path(DocumentConverter.OPTIONS) instanceof ObjectNode kept)) {
            return Json.object();
        }
        var options = kept.deepCopy();
        if (options.get("pagination") instanceof ObjectNode pagination) {
            pagination.removeIf(value -> value.isTextual() && value.textValue().isEmpty());
        }
        return options;
    }

    @Override
    public PieceSpec spec() {
        return spec;
    }

    @Override
    public Map<String, Action> actions() {
        return actions;
    }

    /** Checks the fields for the address of the API, which no request is sent to. */
    @Override
    public Future<Optional<String>> validate(ObjectNode value) {
        var stored = metadata.path(DocumentConverter.PLANS);
        var servers = stored.path("actions")
                .valueStream()
                .map(plan -> plan.path("server").asText())
                .distinct()
                .toList();
        try {
            servers.forEach(server -> ConnectionAddress.of(server, stored, Optional.of(value)));
            return Future.succeededFuture(Optional.empty());
        } catch (PieceFailure refused) {
            return Future.succeededFuture(Optional.of(String.valueOf(refused.getMessage())));
        }
    }

    @Override
    public Optional<String> platformId() {
        return label.platformId();
    }

    @Override
    public Instant created() {
        return label.created();
    }

    @Override
    public Instant updated() {
        return label.updated();
    }

    @Override
    public ObjectNode describe(String version) {
        var description = Json.object()
                .put("id", label.id())
                .put("created", Json.timestamp(label.created()))
                .put("updated", Json.timestamp(label.updated()))
                .put("name", label.name())
                .put("version", version);
        metadata.properties().forEach(field -> {
            if (!field.getKey().equals(DocumentConverter.PLANS)) {
                description.set(field.getKey(), field.getValue().deepCopy());
            }
        });
        description.path("actions").forEach(action -> {
            var options = ((ObjectNode) action).putObject("errorHandlingOptions");
            options.putObject("continueOnFailure").put("defaultValue", false);
            options.putObject("retryOnFailure").put("defaultValue", false);
        });
        description
                .put("minimumSupportedRelease", "0.0.0")
                .put("maximumSupportedRelease", "999.999.999")
                .put("projectUsage", 0)
                .put("pieceType", "CUSTOM")
                .put("packageType", "OPENAPI");
        label.platformId().ifPresent(id -> description.put("platformId", id));
        return description;
    }
}
