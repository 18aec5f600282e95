package io.millrace.integration.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * A committed release (contract admin-api 11).
 *
 * @param description null if not given
 * @param importedBy user who made it, null if deleted
 * @param importedByUser record of that user, or null
 * @param fileId snapshot of the project as the release left it
 */
public record Release(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String name,
        @Nullable String description,
        ReleaseType type,
        @Nullable String importedBy,
        @Nullable JsonNode importedByUser,
        String fileId) {

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("name", name)
                .put("description", description)
                .put("importedBy", importedBy)
                .put("fileId", fileId)
                .put("type", type.name());
        if (importedByUser != null) {
            json.set("importedByUser", importedByUser);
        }
        return json;
    }

    /** Data of the release in events (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        var release = data.putObject("release")
                .put("name", name)
                .put("description", description)
                .put("type", type.name())
                .put("projectId", projectId);
        if (importedByUser != null) {
            release.set("importedByUser", importedByUser);
        }
        return data;
    }
}
