package io.millrace.integration.issue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * Failures with one cause: the same step of the same flow failed with messages of the same shape.
 *
 * @param flowDisplayName name of the newest version of the flow; empty without one
 * @param cause class of the cause, as in a diagnosis
 * @param runStatus status of the failed runs
 * @param stepName empty when the runs failed outside of steps
 * @param message message of the newest failure; empty for internal errors
 * @param occurrences number of failures since the first, also of days whose runs have been deleted
 */
public record FlowIssue(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String flowId,
        String flowDisplayName,
        String cause,
        String runStatus,
        String stepName,
        String stepDisplayName,
        String message,
        IssueStatus status,
        long occurrences,
        Instant firstOccurrence,
        Instant lastOccurrence,
        String lastRunId) {
    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("flowId", flowId)
                .put("flowDisplayName", flowDisplayName)
                .put("status", status.name())
                .put("cause", cause)
                .put("runStatus", runStatus);
        if (!stepName.isEmpty()) {
            json.put("stepName", stepName);
            json.putObject("step").put("name", stepName).put("displayName", stepDisplayName);
        }
        if (!message.isEmpty()) {
            json.put("message", message);
        }
        return json.put("count", occurrences)
                .put("firstOccurrence", Json.timestamp(firstOccurrence))
                .put("lastOccurrence", Json.timestamp(lastOccurrence))
                .put("lastRunId", lastRunId);
    }
}
