package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Removes the secrets of a connection from messages of its piece: common HTTP libraries print whole requests with the
 * Authorization header (contract pieces 9).
 */
final class Censor {
    private static final String MASK = "********";

    /** Shorter values are common words such as "true" or "eu" and are not masked. */
    private static final int SECRET_LENGTH_MIN = 6;

    private final List<String> secrets;

    private Censor(List<String> secrets) {
        this.secrets = secrets;
    }

    /** A censor of all texts in a connection's value; null for none. */
    static Censor of(JsonNode auth) {
        var secrets = new ArrayList<String>();
        if (auth != null) {
            collect(auth, secrets);
        }
        // Longest first, because a secret may be a prefix of another one.
        secrets.sort(Comparator.comparingInt(String::length).reversed());
        return new Censor(List.copyOf(secrets));
    }

    private static void collect(JsonNode value, List<String> secrets) {
        for (var field : value.properties()) {
            if (!field.getKey().equals("type")) {
                collect(field.getValue(), secrets);
            }
        }
        if (value.isArray()) {
            value.forEach(item -> collect(item, secrets));
        }
        if (value.isTextual() && value.asText().length() >= SECRET_LENGTH_MIN) {
            secrets.add(value.asText());
        }
    }

    String applied(String text) {
        var censored = text;
        for (var secret : secrets) {
            censored = Substrings.replaced(censored, secret, MASK);
        }
        return censored;
    }

    JsonNode applied(JsonNode value) {
        if (secrets.isEmpty() || value.isNumber() || value.isBoolean()) {
            return value;
        }
        if (value.isTextual()) {
            return TextNode.valueOf(applied(value.asText()));
        }
        if (value.isArray()) {
            var list = Json.array();
            value.forEach(item -> list.add(applied(item)));
            return list;
        }
        var object = Json.object();
        value.properties().forEach(field -> object.set(field.getKey(), applied(field.getValue())));
        return object;
    }
}
