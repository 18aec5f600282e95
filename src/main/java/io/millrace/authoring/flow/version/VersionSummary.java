package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;
import java.util.Optional;

/**
 * A version in the list of a flow's versions, without steps (contract flows-and-engine 2.2).
 *
 * @param schemaVersion null in very old versions
 * @param updatedBy user who changed it last, or null
 * @param editor the same user, while the account exists
 */
public record VersionSummary(
        String id,
        Instant created,
        Instant updated,
        String flowId,
        String displayName,
        boolean valid,
        VersionState state,
        @Nullable String schemaVersion,
        @Nullable String updatedBy,
        Optional<Editor> editor) {

    /**
     * Last editor of a version, with the fields of a user that others on the platform may see (contract admin-api
     * 15.1).
     *
     * @param lastActiveDate null when never
     * @param imageUrl null when there is no picture
     */
    public record Editor(
            String id,
            Instant created,
            Instant updated,
            String email,
            String firstName,
            String lastName,
            String status,
            String platformRole,
            String platformId,
            @Nullable String externalId,
            @Nullable Instant lastActiveDate,
            @Nullable String imageUrl) {
        ObjectNode toJson() {
            return Json.object()
                    .put("id", id)
                    .put("created", Json.timestamp(created))
                    .put("updated", Json.timestamp(updated))
                    .put("email", email)
                    .put("firstName", firstName)
                    .put("lastName", lastName)
                    .put("status", status)
                    .put("platformRole", platformRole)
                    .put("platformId", platformId)
                    .put("externalId", externalId)
                    .put("lastActiveDate", Json.timestamp(lastActiveDate))
                    .put("imageUrl", imageUrl);
        }
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("flowId", flowId)
                .put("displayName", displayName)
                .put("schemaVersion", schemaVersion)
                .put("valid", valid)
                .put("state", state.name())
                .put("updatedBy", updatedBy);
        json.set("updatedByUser", editor.map(Editor::toJson).orElse(null));
        return json;
    }
}
