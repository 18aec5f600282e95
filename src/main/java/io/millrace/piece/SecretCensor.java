package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.sandbox.expression.value.Substrings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Censors secrets in messages of failures and in console output: services and pieces often repeat their input, and a log shows it to
 * all readers of runs (contract flows-and-engine 7.8).
 */
public final class SecretCensor {
    /** Shorter texts are not censored: they may occur anywhere as words. */
    private static final int LENGTH_MIN = 6;

    private static final int TEXTS_MAX = 200;

    /** Fields of a connection's value that are not secret, and that help readers of a failure. */
    private static final Set<String> PLAIN = Set.of(
            "type",
            "username",
            "client_id",
            "token_type",
            "token_url",
            "redirect_url",
            "scope",
            "authorization_method",
            "grant_type",
            "data");

    private SecretCensor() {}

    public static String censor(String text, List<Secrets> loaded) {
        return censored(text, texts(loaded, List.of()));
    }

    /**
     * Copy of a value without secrets in its texts.
     *
     * @param more secrets in addition to those that were loaded
     */
    public static JsonNode censored(JsonNode value, List<Secrets> loaded, Collection<String> more) {
        var secrets = texts(loaded, more);
        return secrets.isEmpty() ? value : censored(value, secrets);
    }

    /** Recursion as deep as the value. */
    private static JsonNode censored(JsonNode value, List<String> secrets) {
        return switch (value) {
            case TextNode text -> TextNode.valueOf(censored(text.textValue(), secrets));
            case ArrayNode array -> {
                var copy = Json.array();
                array.forEach(item -> copy.add(censored(item, secrets)));
                yield copy;
            }
            case ObjectNode object -> {
                var copy = Json.object();
                object.properties().forEach(field -> copy.set(field.getKey(), censored(field.getValue(), secrets)));
                yield copy;
            }
            default -> value;
        };
    }

    private static String censored(String text, List<String> secrets) {
        var censored = text;
        for (var secret : secrets) {
            censored = Substrings.replaced(censored, secret, ResolvedInput.REDACTED);
        }
        return censored;
    }

    /** Forms of a secret in a message: plain, inside JSON, inside a URL; the longest first. */
    private static List<String> texts(List<Secrets> loaded, Collection<String> more) {
        var leaves = new ArrayList<String>(more);
        for (var secrets : loaded) {
            leaves.addAll(secrets.variables().values());
            secrets.connections().values().forEach(connection -> {
                if (connection instanceof Secrets.LoadedConnection.Value(var value)) {
                    value.properties().stream()
                            .filter(field -> !PLAIN.contains(field.getKey()))
                            .forEach(field -> collect(field.getValue(), leaves));
                }
            });
        }
        return leaves.stream()
                .filter(leaf -> leaf.length() >= LENGTH_MIN)
                .limit(TEXTS_MAX)
                .flatMap(SecretCensor::forms)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    private static void collect(JsonNode value, List<String> leaves) {
        if (value.isTextual()) {
            leaves.add(value.textValue());
        }
        value.forEach(child -> collect(child, leaves));
    }

    private static Stream<String> forms(String secret) {
        var quoted = Json.text(TextNode.valueOf(secret));
        var encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        return Stream.of(secret, quoted.substring(1, quoted.length() - 1), encoded, encoded.replace("+", "%20"));
    }
}
