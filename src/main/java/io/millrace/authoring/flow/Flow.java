package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;
import java.util.Objects;

/**
 * A flow without its versions (contract flows-and-engine 2.1). The name that people see lives on the version.
 *
 * @param externalId the same across environments
 * @param ownerId user who created it, null when an API key did
 * @param folderId null when in no folder
 * @param publishedVersionId null when never published
 * @param metadata free-form, or null
 * @param timeSavedPerRun minutes, or null
 * @param templateId source template, or null
 * @param createdBy machine that created it, or null
 */
public record Flow(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String externalId,
        @Nullable String ownerId,
        @Nullable String folderId,
        FlowStatus status,
        @Nullable String publishedVersionId,
        @Nullable ObjectNode metadata,
        OperationStatus operationStatus,
        @Nullable Double timeSavedPerRun,
        @Nullable String templateId,
        @Nullable Creator createdBy) {

    public enum CreatorType {
        MCP,
        AGENT
    }

    public record Creator(CreatorType type, String id) {
        ObjectNode toJson() {
            return Json.object().put("type", type.name()).put("id", id);
        }
    }

    public Flow {
        Objects.requireNonNull(id);
        Objects.requireNonNull(projectId);
        Objects.requireNonNull(externalId);
        Objects.requireNonNull(status);
        Objects.requireNonNull(operationStatus);
    }

    /** A flow as it is created: DISABLED and never published. */
    public static Flow created(
            String id, String externalId, String projectId, String ownerId, String folderId, Instant now) {
        return new Flow(
                id,
                now,
                now,
                projectId,
                externalId,
                ownerId,
                folderId,
                FlowStatus.DISABLED,
                null,
                null,
                OperationStatus.NONE,
                null,
                null,
                null);
    }

    Flow from(String template, ObjectNode otherMetadata, Creator creator) {
        return new Flow(
                id,
                created,
                updated,
                projectId,
                externalId,
                ownerId,
                folderId,
                status,
                publishedVersionId,
                otherMetadata,
                operationStatus,
                timeSavedPerRun,
                template,
                creator);
    }

    Flow changedAt(Instant now) {
        return with(now, ownerId, folderId, status, publishedVersionId, metadata, operationStatus, timeSavedPerRun);
    }

    Flow deleting(Instant now) {
        return with(
                now,
                ownerId,
                folderId,
                status,
                publishedVersionId,
                metadata,
                OperationStatus.DELETING,
                timeSavedPerRun);
    }

    Flow inFolder(String otherFolderId, Instant now) {
        return with(
                now, ownerId, otherFolderId, status, publishedVersionId, metadata, operationStatus, timeSavedPerRun);
    }

    Flow described(ObjectNode otherMetadata, Instant now) {
        return with(
                now, ownerId, folderId, status, publishedVersionId, otherMetadata, operationStatus, timeSavedPerRun);
    }

    Flow saving(Double minutes, Instant now) {
        return with(now, ownerId, folderId, status, publishedVersionId, metadata, operationStatus, minutes);
    }

    Flow ownedBy(String otherOwnerId, Instant now) {
        return with(
                now, otherOwnerId, folderId, status, publishedVersionId, metadata, operationStatus, timeSavedPerRun);
    }

    Flow publishing(String versionId, FlowStatus otherStatus, Instant now) {
        return with(now, ownerId, folderId, otherStatus, versionId, metadata, operationStatus, timeSavedPerRun);
    }

    /** The flow without an operation in progress. A flow in its previous state counts as unchanged. */
    Flow settled(String versionId, FlowStatus otherStatus, Instant now) {
        var same = otherStatus == status && versionId.equals(publishedVersionId);
        return with(
                same ? updated : now,
                ownerId,
                folderId,
                otherStatus,
                versionId,
                metadata,
                OperationStatus.NONE,
                timeSavedPerRun);
    }

    private Flow with(
            Instant now,
            String otherOwnerId,
            String otherFolderId,
            FlowStatus otherStatus,
            String otherPublishedVersionId,
            ObjectNode otherMetadata,
            OperationStatus otherOperationStatus,
            Double otherTimeSavedPerRun) {
        return new Flow(
                id,
                created,
                now,
                projectId,
                externalId,
                otherOwnerId,
                otherFolderId,
                otherStatus,
                otherPublishedVersionId,
                otherMetadata,
                otherOperationStatus,
                otherTimeSavedPerRun,
                templateId,
                createdBy);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("externalId", externalId)
                .put("ownerId", ownerId)
                .put("folderId", folderId)
                .put("status", status.name())
                .put("publishedVersionId", publishedVersionId);
        json.set("metadata", metadata == null ? json.nullNode() : metadata.deepCopy());
        json.put("operationStatus", operationStatus.name()).put("templateId", templateId);
        json.set("timeSavedPerRun", Json.number(timeSavedPerRun));
        json.set("createdBy", createdBy == null ? json.nullNode() : createdBy.toJson());
        return json;
    }

    /**
     * The populated flow: with one of its versions.
     *
     * @param schedule of the trigger source: {@code {type, cronExpression, timezone}}, or null when it has none
     */
    public ObjectNode toJson(FlowVersion version, JsonNode schedule) {
        var json = toJson();
        json.set("version", version.toJson());
        json.set("triggerSource", Json.object().set("schedule", schedule));
        return json;
    }
}
