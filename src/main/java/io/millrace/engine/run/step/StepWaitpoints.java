package io.millrace.engine.run.step;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.EngineSettings;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.piece.ApprovalRequest;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Waitpoint;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates waitpoints for steps, and the addresses that complete them.
 *
 * @param callerUrl public address of this server for callers of flows
 * @param pauseMax longest pause (AP_PAUSED_FLOW_TIMEOUT_DAYS)
 * @param approvals limits of approvals
 */
public record StepWaitpoints(
        Bus bus,
        Supplier<String> callerUrl,
        RequestIds requestIds,
        Duration pauseMax,
        EngineSettings.ApprovalLimits approvals) {
    private static final long DEADLINE_MS = 30_000;

    /** @param runStarted the pause is counted from then (contract admin-api, AP_PAUSED_FLOW_TIMEOUT_DAYS) */
    Future<Waitpoint> create(Pauses.Create create, Instant runStarted) {
        var excess = create.wanted().approval().flatMap(this::excess);
        if (excess.isPresent()) {
            return Future.failedFuture(PieceFailure.of(excess.get()));
        }
        return isTooLong(create.wanted(), runStarted)
                ? Future.failedFuture(tooLong())
                : bus.ask(create, DEADLINE_MS)
                        .map(id -> new Waitpoint(id, address(create.runId(), "waitpoints/" + id)));
    }

    private Optional<String> excess(ApprovalRequest approval) {
        if (approval.approversCount() > approvals.approversMax()) {
            return Optional.of("Approvers: expected at most " + approvals.approversMax() + " addresses, found "
                    + approval.approversCount() + "; name a role, or raise AP_APPROVAL_APPROVERS_MAX");
        }
        var bytes = JsonSize.of(approval.shown());
        return bytes > approvals.dataBytesMax()
                ? Optional.of("Message, data and form: expected at most " + approvals.dataBytesMax() / 1024
                        + " KB, found " + (bytes + 1023) / 1024 + " KB; show less, or raise AP_APPROVAL_DATA_MAX_KB")
                : Optional.empty();
    }

    PieceFailure expired() {
        return NamedFailure.of(
                "PausedFlowTimeoutError",
                "The step waited too long; a flow can be paused for " + pauseMax.toDays() + " days at most");
    }

    private PieceFailure tooLong() {
        return NamedFailure.of(
                "PausedFlowTimeoutError", "The flow cannot be paused for more than " + pauseMax.toDays() + " days");
    }

    /** Checks the limit in whole days (contract flows-and-engine 12.2). */
    private boolean isTooLong(Waitpoint.Request wanted, Instant runStarted) {
        return (wanted.type() == Waitpoint.Type.DELAY || wanted.approval().isPresent())
                && wanted.resumeAt() != null
                && Duration.between(runStarted, wanted.resumeAt()).toDays() > pauseMax.toDays();
    }

    /**
     * Common part of the resume addresses of the old kind (12.4) that one execution of a step makes: one of them is
     * used.
     */
    String newRequest(String runId) {
        return requestIds.issue(runId);
    }

    String requestUrl(String runId, String requestId, Map<String, String> query, boolean sync) {
        return Waitpoint.url(address(runId, "requests/" + requestId), query, sync);
    }

    private String address(String runId, String rest) {
        return callerUrl.get() + "/api/v1/flow-runs/" + runId + "/" + rest;
    }
}
