package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * A table of a project (contract flows-and-engine 22.1).
 *
 * @param folderId null when it is in none
 * @param externalId the same across environments
 * @param status null when none was chosen
 * @param trigger null when none was chosen
 */
public record Table(
        String id,
        Instant created,
        Instant updated,
        String name,
        @Nullable String folderId,
        String projectId,
        String externalId,
        @Nullable TableStatus status,
        @Nullable TableTrigger trigger) {
    Table changed(TableChanges changes, Instant now) {
        return new Table(
                id,
                created,
                now,
                changes.name().orElse(name),
                changes.folderId().or(folderId),
                projectId,
                externalId,
                changes.status().or(status),
                changes.trigger().or(trigger));
    }

    public ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("name", name)
                .put("folderId", folderId)
                .put("projectId", projectId)
                .put("externalId", externalId)
                .put("status", status == null ? null : status.name())
                .put("trigger", trigger == null ? null : trigger.name());
    }
}
