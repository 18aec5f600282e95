package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A variable without its value (contract admin-api 25).
 *
 * @param ownerId user who made it, or null
 * @param owner record of that user, or null
 * @param metadata free-form object, or null
 */
public record Variable(
        String id,
        Instant created,
        Instant updated,
        String name,
        String projectId,
        String platformId,
        @Nullable String ownerId,
        @Nullable JsonNode owner,
        @Nullable JsonNode metadata) {
    /** Limits the length of names: an index cannot hold texts of any length. */
    static final Pattern NAME = Pattern.compile("^[a-zA-Z0-9_]{1,200}$");

    /** Payload of audit events (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        data.putObject("variable")
                .put("id", id)
                .put("name", name)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated));
        return data;
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", name)
                .put("projectId", projectId)
                .put("platformId", platformId)
                .put("ownerId", ownerId);
        json.set("owner", owner);
        json.set("metadata", metadata);
        return json;
    }
}
