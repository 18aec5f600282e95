package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** Credential types that a piece accepts (contract pieces 2.3, 3). */
final class AuthTypes {
    private static final String OAUTH2 = "OAUTH2";

    private AuthTypes() {}

    /**
     * Validates the type of a connection's value; empty when valid. A piece without authentication accepts any type.
     *
     * @param definition authentication of the piece: an object, a list of objects, or null
     */
    static Optional<String> problemOf(JsonNode definition, ObjectNode value) {
        if (definition == null) {
            return Optional.empty();
        }
        var type = value.path("type").asText();
        var kind = type.endsWith("_" + OAUTH2) ? OAUTH2 : type;
        var taken = types(definition);
        return taken.contains(kind)
                ? Optional.empty()
                : Optional.of("expected credentials of type " + String.join(" or ", taken) + ", found " + type);
    }

    private static List<String> types(JsonNode definition) {
        var definitions = definition.isArray() ? definition.valueStream().toList() : List.of(definition);
        return definitions.stream().map(one -> one.path("type").asText()).toList();
    }
}
