package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * Arguments of a tool as the strictest providers and MCP clients accept them: the root is an object, arrays have {@code items},
 * references are resolved, keys of properties match {@code [A-Za-z0-9_.-]{1,64}}, and there are no keywords that some of them
 * refuse. The meaning is kept as far as possible and never narrowed; the tool itself checks its arguments.
 */
public final class ToolSchema {
    private final ObjectNode schema;
    private final SchemaKeys keys;

    private ToolSchema(ObjectNode schema, SchemaKeys keys) {
        this.schema = schema;
        this.keys = keys;
    }

    /**
     * Normalizes a schema.
     *
     * @param given any JSON; a missing or empty schema takes any object
     * @throws UnusableSchema when no object can fit it, or when it is too large
     */
    public static ToolSchema of(JsonNode given) {
        var keys = new SchemaKeys();
        return new ToolSchema(new SchemaNormalizer(given).root(keys), keys);
    }

    public ObjectNode schema() {
        return schema.deepCopy();
    }

    public ObjectNode restored(ObjectNode arguments) {
        return keys.isEmpty() ? arguments : (ObjectNode) keys.restored(arguments);
    }

    /** The problem of arguments, under sent or original keys; empty when they fit. */
    public List<String> objections(ObjectNode arguments) {
        return SchemaCheck.objections(schema, keys.sent(arguments));
    }

    @Override
    public String toString() {
        return Json.text(schema);
    }
}
