package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunInbox;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Waitpoint;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Waitpoints and resume addresses that one attempt of a step creates; the step can wait only for one of them. */
final class CreatedWaitpoints {
    private final StepWaitpoints waitpoints;
    private final RunInbox inbox;
    private final StepDriver.RunParts run;
    private final String stepName;
    private final String path;
    private final Set<String> ids = new HashSet<>(2);

    /** Null until the step creates an address of the old kind. */
    private String requestId;

    CreatedWaitpoints(
            StepWaitpoints waitpoints, RunInbox inbox, StepDriver.RunParts run, String stepName, String path) {
        this.waitpoints = waitpoints;
        this.inbox = inbox;
        this.run = run;
        this.stepName = stepName;
        this.path = path;
    }

    /** Creates a waitpoint; an approval shows no secret of the step. */
    Future<Waitpoint> create(Waitpoint.Request wanted, StepLog log) {
        var header = run.recording().commits().header();
        var resume = run.resume(path);
        var previous = resume == null ? "" : resume.waitpointId();
        var request = wanted.approval()
                .map(approval -> wanted.with(approval.showing((ObjectNode) log.censored(approval.shown()))))
                .orElse(wanted);
        var create = new Pauses.Create(
                header.id(), run.recording().commits().fence(), header.projectId(), stepName, path, previous, request);
        return inbox.ours(waitpoints.create(create, header.startTime())).onSuccess(made -> ids.add(made.id()));
    }

    void check(Waitpoint wanted) {
        if (!ids.contains(wanted.id())) {
            throw PieceFailure.of("A step can wait only for a waitpoint that it created");
        }
    }

    /** An address of the old kind; all of a step have one part in common. */
    String resumeUrl(Map<String, String> query, boolean sync) {
        var runId = run.recording().commits().header().id();
        if (requestId == null) {
            requestId = waitpoints.newRequest(runId);
        }
        return waitpoints.requestUrl(runId, requestId, query, sync);
    }
}
