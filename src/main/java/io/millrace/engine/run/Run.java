package io.millrace.engine.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.engine.run.log.FailedStep;
import java.time.Instant;
import java.util.List;

/**
 * One execution of a flow version, as callers see it (contract flows-and-engine 5.1).
 *
 * @param parentRunId run that called this one as a sub-flow, or null
 * @param triggeredBy user who started it by hand, or null
 * @param flowDisplayName name of the flow version, or null after its deletion
 * @param failedStep step that ended it, or null
 * @param finishTime null while it lives
 * @param archivedAt time of archival, or null
 * @param stepNameToTest the only step that it executes, or null
 * @param replayOf run that it replays, or null
 */
public record Run(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String flowId,
        String flowVersionId,
        @Nullable String flowDisplayName,
        RunEnvironment environment,
        RunStatus status,
        @Nullable Instant startTime,
        @Nullable Instant finishTime,
        @Nullable String parentRunId,
        boolean failParentOnFailure,
        @Nullable String triggeredBy,
        List<String> tags,
        @Nullable FailedStep failedStep,
        int stepsCount,
        @Nullable Instant archivedAt,
        @Nullable String stepNameToTest,
        @Nullable String replayOf) {
    public Run {
        tags = List.copyOf(tags);
    }

    /** The run at the moment of its creation, regardless of later changes: queued, or refused. */
    public Run asCreated() {
        return status == RunStatus.QUOTA_EXCEEDED
                ? this
                : new Run(
                        id,
                        created,
                        created,
                        projectId,
                        flowId,
                        flowVersionId,
                        flowDisplayName,
                        environment,
                        RunStatus.QUEUED,
                        startTime,
                        null,
                        parentRunId,
                        failParentOnFailure,
                        triggeredBy,
                        tags,
                        null,
                        0,
                        archivedAt,
                        stepNameToTest,
                        replayOf);
    }

    /**
     * The run without its steps, as lists show it. Details of internal errors are visible only to the platform's
     * administrators.
     */
    public ObjectNode toJson(Principal reader) {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("flowId", flowId)
                .put("flowVersionId", flowVersionId)
                .put("failParentOnFailure", failParentOnFailure)
                .put("status", status.name())
                .put("startTime", Json.timestamp(startTime))
                .put("finishTime", Json.timestamp(finishTime))
                .put("environment", environment.name())
                .putNull("logsFileId")
                .put("archivedAt", Json.timestamp(archivedAt))
                .put("stepsCount", stepsCount);
        putOptional(json);
        tags.forEach(json.putArray("tags")::add);
        if (status == RunStatus.INTERNAL_ERROR) {
            putInternalError(json, reader);
        } else if (failedStep != null) {
            json.set("failedStep", failedStep.toJson());
        }
        return json;
    }

    /** Adds optional fields. Clients of the contract accept a missing field or a text, but not null. */
    private void putOptional(ObjectNode json) {
        if (flowDisplayName != null) {
            json.putObject("flowVersion").put("displayName", flowDisplayName);
        }
        if (parentRunId != null) {
            json.put("parentRunId", parentRunId);
        }
        if (triggeredBy != null) {
            json.put("triggeredBy", triggeredBy);
        }
        if (stepNameToTest != null) {
            json.put("stepNameToTest", stepNameToTest);
        }
        if (replayOf != null) {
            json.put("replayOf", replayOf);
        }
    }

    private void putInternalError(ObjectNode json, Principal reader) {
        if (failedStep != null) {
            json.set("failedStep", failedStep.withoutMessage().toJson());
        }
        if (reader.administersPlatform()) {
            json.putObject("internalError")
                    .put("source", "ENGINE")
                    .put("message", internalErrorMessage())
                    .put("occurredAt", Json.timestamp(finishTime == null ? updated : finishTime));
        }
    }

    private String internalErrorMessage() {
        return failedStep == null || failedStep.message() == null
                ? "the run could not be resumed"
                : failedStep.message();
    }
}
