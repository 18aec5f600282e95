package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;

/**
 * Origin of a run that another run calls. The id of the calling run proves nothing: it is in addresses and logs. Its waitpoint
 * is known only to those who may resume it, and pieces pass it in the field {@code callbackUrl} (contract flows-and-engine 14.1).
 */
record CallingRuns(RequestIds requestIds) {
    /**
     * @param runId run that calls, or null
     * @param body body of the call
     */
    Runs.Start.ParentRun of(String runId, boolean failsOnFailure, JsonNode body) {
        var callback = body.path("callbackUrl");
        var waitpoint = runId == null || !failsOnFailure || !callback.isTextual()
                ? null
                : ResumeAddress.targetOf(callback.asText(), runId)
                        .map(target -> provenBy(target, runId))
                        .orElse(null);
        return new Runs.Start.ParentRun(runId, failsOnFailure, waitpoint);
    }

    /** A waitpoint is compared when the child fails; a request id is only valid with the signature of its run. */
    private String provenBy(Waitpoints.Target target, String runId) {
        return switch (target) {
            case Waitpoints.Target.OfWaitpoint(var id) -> Ids.isId(id) ? id : null;
            case Waitpoints.Target.OfRequest(var id) -> requestIds.isOf(runId, id) ? id : null;
        };
    }
}
