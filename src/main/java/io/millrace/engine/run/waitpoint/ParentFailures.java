package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.ending.InternalErrorRetry;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.waitpoint.WaitpointStore.FailedChild;
import io.millrace.engine.run.waitpoint.WaitpointStore.LiveRunRow;
import io.millrace.engine.run.waitpoint.WaitpointStore.WaitpointState;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Resumes a run that waits for a failed subflow (contract flows-and-engine 14.3). */
final class ParentFailures {
    private final Database database;
    private final WaitpointCompletion completion;
    private final FailureBackoff postponed;
    private final Supplier<String> publicUrl;
    private final InstantSource clock;
    private final WaitpointStore waitpoints = new WaitpointStore();

    ParentFailures(
            Database database,
            WaitpointCompletion completion,
            FailureBackoff postponed,
            Supplier<String> publicUrl,
            InstantSource clock) {
        this.database = database;
        this.completion = completion;
        this.postponed = postponed;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    Future<Nothing> failParent(Pauses.FailParent ask) {
        var child = ask.child();
        return database.read(tx -> waitpoints.failureMessage(tx, child.id(), child.created()))
                .compose(message -> failParent(new FailedChild(
                        child.id(),
                        child.projectId(),
                        child.origin().parentRunId(),
                        child.origin().parentWaitpoint(),
                        child.created(),
                        ask.status(),
                        message.orElse(null))))
                .map(Nothing.DONE);
    }

    Future<Nothing> failParents(Pauses.FailParents ask) {
        var brokenBefore = clock.instant().minus(InternalErrorRetry.SETTLED_AFTER);
        return database.read(tx -> waitpoints.failedChildren(tx, ask.limit(), brokenBefore, postponed.ids()))
                .compose(children -> postponed.each(children, FailedChild::runId, FailedChild::runId, this::failParent))
                .map(Nothing.DONE);
    }

    /**
     * Resumes only a parent of the same project that waits at the waitpoint which its child names: any caller of a webhook can
     * send the header with the id of a run.
     */
    private Future<Void> failParent(FailedChild child) {
        var parentId = child.parentRunId();
        return database.inTransaction(tx -> waitpoints
                        .lock(tx, parentId)
                        .compose(found -> found.filter(
                                        parent -> parent.projectId().equals(child.projectId()))
                                .map(parent -> failParent(tx, parent, child))
                                .orElseGet(() -> Future.succeededFuture(new Completion.Deferral()))))
                .onSuccess(completion::announce)
                .map(completion::handOver);
    }

    private Future<Completion> failParent(Tx tx, LiveRunRow parent, FailedChild child) {
        return waitpoints
                .findPendingForChild(tx, child)
                .compose(found -> found.isPresent() ? answered(tx, child, found) : Future.succeededFuture(found))
                .compose(found ->
                        completion.complete(tx, child.parentRunId(), parent, found, RecordText.of(failureOf(child))));
    }

    /** Records the request id that the child names, if any: a later answer under it must not resume the next wait. */
    private Future<Optional<WaitpointState>> answered(Tx tx, FailedChild child, Optional<WaitpointState> found) {
        return found.orElseThrow().id().equals(child.parentWaitpoint())
                ? Future.succeededFuture(found)
                : waitpoints
                        .keepAnswered(tx, child.parentRunId(), child.parentWaitpoint())
                        .map(found);
    }

    /** Payload for the parent about its failed child (contract flows-and-engine 14.3). */
    private ObjectNode failureOf(FailedChild child) {
        var payload = WaitpointCompletion.nothing();
        payload.putObject("body")
                .put("status", "error")
                .putObject("data")
                .put("message", child.message() == null ? "The subflow run has not succeeded" : child.message())
                .put("status", child.status().name())
                .put("link", publicUrl.get() + "/projects/" + child.projectId() + "/runs/" + child.runId());
        return payload;
    }
}
