package io.millrace.engine.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.engine.run.log.FailedStep;
import java.time.Instant;

/**
 * One retry of a run, and the attempt before it.
 *
 * @param runId run that the retry continued or started
 * @param attemptRunId run of the attempt: the same one, or the one that was retried on the latest version
 * @param status state of the attempt at the retry
 * @param failedStep step that ended the attempt, or null
 * @param retriedBy user who requested the retry, or null for the server
 * @param retriedByName display name of that user while the account exists
 */
public record RunAttempt(
        String runId,
        String attemptRunId,
        RunStatus status,
        @Nullable Instant startTime,
        @Nullable Instant finishTime,
        @Nullable FailedStep failedStep,
        Instant retriedAt,
        @Nullable String retriedBy,
        @Nullable String retriedByName) {

    /** Messages of internal errors are visible only to the platform's administrators. */
    public ObjectNode toJson(Principal reader) {
        var json = Json.object()
                .put("runId", runId)
                .put("attemptRunId", attemptRunId)
                .put("status", status.name())
                .put("startTime", Json.timestamp(startTime))
                .put("finishTime", Json.timestamp(finishTime));
        if (failedStep != null) {
            var isHidden = status == RunStatus.INTERNAL_ERROR && !reader.administersPlatform();
            json.set("failedStep", (isHidden ? failedStep.withoutMessage() : failedStep).toJson());
        }
        json.put("retriedAt", Json.timestamp(retriedAt));
        if (retriedBy != null) {
            json.put("retriedBy", retriedBy);
        }
        if (retriedByName != null) {
            json.put("retriedByName", retriedByName);
        }
        return json;
    }
}
