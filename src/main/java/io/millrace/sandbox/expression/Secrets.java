package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The connections and variables that were loaded for one input before it is resolved (contract flows-and-engine 7.6, 7.7). Each
 * connection has its value or a reason why it cannot be used; a connection or variable that is missing here was not found.
 *
 * @param connections by external id
 * @param variables by name
 */
public record Secrets(Map<String, LoadedConnection> connections, Map<String, String> variables) {
    public static final Secrets NONE = new Secrets(Map.of(), Map.of());

    public sealed interface LoadedConnection {
        /** The value object as it was created, its tokens fresh. */
        record Value(JsonNode value) implements LoadedConnection {}

        /** A value that only steps and triggers of a piece may use (AP_ENFORCE_CONNECTION_PIECE_BINDING). */
        record Bound(JsonNode value, String pieceName) implements LoadedConnection {}

        /** A connection that cannot be used: a step that refers to it fails with this error (contract 11.4). */
        record Unusable(String errorName, String message) implements LoadedConnection {}
    }

    public static LoadedConnection expired(String name) {
        return unusable("ConnectionExpired", "connection (" + name + ") expired, reconnect again");
    }

    /** A connection that exists but could not be read. */
    public static LoadedConnection notLoaded(String name) {
        return unusable("ConnectionLoadingFailure", "connection (" + name + ") could not be loaded");
    }

    /** A connection whose value refers to a secret of an external store that cannot be read. */
    public static LoadedConnection notLoaded(String name, String reason) {
        return unusable("ConnectionLoadingFailure", "connection (" + name + ") could not be loaded: " + reason);
    }

    private static LoadedConnection notFound(String name) {
        return unusable("ConnectionNotFound", "connection (" + name + ") not found");
    }

    private static LoadedConnection.Unusable ofAnotherPiece(String name, String pieceName) {
        return unusable(
                "ConnectionLoadingFailure",
                "connection (" + name + ") belongs to piece " + pieceName + " and is given to no other step");
    }

    private static LoadedConnection.Unusable unusable(String errorName, String text) {
        return new LoadedConnection.Unusable(
                errorName, Json.pretty(Json.object().put("message", text)));
    }

    /**
     * The value of a connection.
     *
     * @throws ExpressionFailure when it cannot be used
     */
    public JsonNode connection(String name) {
        var loaded = connections.get(name);
        return switch (loaded == null ? notFound(name) : loaded) {
            case LoadedConnection.Value(var value) -> value;
            case LoadedConnection.Bound(var _, var pieceName) -> throw failure(ofAnotherPiece(name, pieceName));
            case LoadedConnection.Unusable unusable -> throw failure(unusable);
        };
    }

    private static ExpressionFailure failure(LoadedConnection.Unusable unusable) {
        return new ExpressionFailure(unusable.errorName(), unusable.message());
    }

    /** Secrets for a step or a trigger of a piece, which may use values bound to that piece. */
    public Secrets usedBy(String pieceName) {
        return new Secrets(
                connections.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey,
                                entry -> entry.getValue() instanceof LoadedConnection.Bound(var value, var owner)
                                                && owner.equals(pieceName)
                                        ? new LoadedConnection.Value(value)
                                        : entry.getValue())),
                variables);
    }

    /** The value of a variable; null when there is none, which is empty text (contract 7.7). */
    public JsonNode variable(String name) {
        var value = variables.get(name);
        return value == null ? null : TextNode.valueOf(value);
    }

    /** Secrets for a piece of the oldest context version: the secret text itself, the properties themselves. */
    public Secrets unwrapped() {
        return new Secrets(
                connections.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> unwrapped(entry.getValue()))),
                variables);
    }

    private static LoadedConnection unwrapped(LoadedConnection loaded) {
        return switch (loaded) {
            case LoadedConnection.Unusable unusable -> unusable;
            case LoadedConnection.Bound bound -> bound;
            case LoadedConnection.Value(var value) ->
                new LoadedConnection.Value(
                        switch (value.path("type").asText()) {
                            case "SECRET_TEXT" -> value.path("secret_text");
                            case "CUSTOM_AUTH" -> value.path("props");
                            default -> value;
                        });
        };
    }
}
