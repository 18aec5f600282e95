package io.millrace.authoring.folder;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * A folder of flows and tables (contract admin-api 9). Its name is unique in the project without regard to case.
 *
 * @param externalId the same across environments, or null
 */
public record Folder(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String displayName,
        double displayOrder,
        @Nullable String externalId) {
    static final int NAME_LENGTH_MAX = 255;

    /** Data of the folder in events (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        data.putObject("folder")
                .put("id", id)
                .put("displayName", displayName)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated));
        return data;
    }

    public record FolderCounts(Folder folder, int flows, int tables) {
        ObjectNode toJson() {
            return Json.object()
                    .put("id", folder.id())
                    .put("created", Json.timestamp(folder.created()))
                    .put("updated", Json.timestamp(folder.updated()))
                    .put("projectId", folder.projectId())
                    .put("displayName", folder.displayName())
                    .<ObjectNode>set("displayOrder", Json.number(folder.displayOrder()))
                    .put("externalId", folder.externalId())
                    .put("numberOfFlows", flows)
                    .put("numberOfTables", tables);
        }
    }
}
