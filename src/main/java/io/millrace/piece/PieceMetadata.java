package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.property.PropertyDefinitions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;

/**
 * Pieces as JSON, for editors and lists (contract pieces 2.2, flows-and-engine 29). Leaves out functions and
 * translations.
 */
public final class PieceMetadata {
    /** Creation time of built-ins, which have no database row. */
    static final Instant CREATED = Instant.parse("2026-01-01T00:00:00.000Z");

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private PieceMetadata() {}

    public static ObjectNode full(Piece piece, String version) {
        var metadata = common(piece, version);
        var actions = metadata.putObject("actions");
        piece.actions().forEach((name, action) -> actions.set(name, action(action.spec())));
        var triggers = metadata.putObject("triggers");
        piece.triggers().forEach((name, trigger) -> triggers.set(name, trigger(trigger)));
        return metadata;
    }

    private static ObjectNode common(Piece piece, String version) {
        var spec = piece.spec();
        var metadata = Json.object()
                .put("id", idOf(spec.name()))
                .put("created", Json.timestamp(CREATED))
                .put("updated", Json.timestamp(CREATED))
                .put("name", spec.name())
                .put("displayName", spec.displayName())
                .put("logoUrl", spec.logoUrl())
                .put("description", spec.description())
                .put("version", version);
        metadata.set("authors", Json.mapper().valueToTree(spec.authors()));
        metadata.set("categories", Json.mapper().valueToTree(spec.categories()));
        if (spec.auth() != null) {
            metadata.set("auth", spec.auth());
        }
        metadata.putObject("contextInfo").put("version", "2");
        return metadata.put("minimumSupportedRelease", "0.82.0")
                .put("maximumSupportedRelease", "999.999.999")
                .put("pieceType", "OFFICIAL")
                .put("packageType", "REGISTRY")
                .put("projectUsage", 0);
    }

    static ObjectNode action(ActionSpec spec) {
        var definition = Json.object()
                .put("name", spec.name())
                .put("displayName", spec.displayName())
                .put("description", spec.description());
        definition.set("props", PropertyDefinitions.write(spec.props()));
        definition.put("requireAuth", spec.requireAuth());
        var options = definition.putObject("errorHandlingOptions");
        if (spec.errorOptionsShown()) {
            options.putObject("continueOnFailure").put("defaultValue", false);
            options.putObject("retryOnFailure").put("defaultValue", false);
        } else {
            options.putObject("continueOnFailure").put("hide", true);
            options.putObject("retryOnFailure").put("hide", true);
        }
        return definition;
    }

    static ObjectNode trigger(PieceTrigger trigger) {
        var spec = trigger.spec();
        var definition = Json.object()
                .put("name", spec.name())
                .put("displayName", spec.displayName())
                .put("description", spec.description());
        definition.set("props", PropertyDefinitions.write(spec.props()));
        definition
                .put("requireAuth", spec.requireAuth())
                .put("type", spec.strategy().name());
        definition.set("sampleData", spec.sampleData());
        var handshake = definition
                .putObject("handshakeConfiguration")
                .put("strategy", trigger.handshake().strategy().name());
        if (trigger.handshake().strategy() != Handshake.Strategy.NONE) {
            handshake.put("paramName", trigger.handshake().paramName());
        }
        var renewal = definition.putObject("renewConfiguration");
        trigger.renewCron()
                .ifPresentOrElse(
                        cron -> renewal.put("strategy", "CRON").put("cronExpression", cron),
                        () -> renewal.put("strategy", "NONE"));
        return definition.put("testStrategy", spec.testStrategy().name());
    }

    /** The same identifier for the same name on every server and in every release. */
    public static String idOf(String name) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            var id = new StringBuilder(Ids.LENGTH);
            for (var i = 0; i < Ids.LENGTH; i++) {
                id.append(ALPHABET.charAt((hash[i] & 0xff) % ALPHABET.length()));
            }
            return id.toString();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
