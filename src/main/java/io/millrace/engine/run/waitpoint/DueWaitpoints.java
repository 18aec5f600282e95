package io.millrace.engine.run.waitpoint;

import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.Waitpoints.Target;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.waitpoint.WaitpointStore.LiveRunRow;
import io.millrace.engine.run.waitpoint.WaitpointStore.WaitpointState;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

final class DueWaitpoints {
    private final Database database;
    private final WaitpointCompletion completion;
    private final ApprovalService approvals;
    private final FailureBackoff postponed;
    private final InstantSource clock;
    private final WaitpointStore waitpoints = new WaitpointStore();

    DueWaitpoints(
            Database database,
            WaitpointCompletion completion,
            ApprovalService approvals,
            FailureBackoff postponed,
            InstantSource clock) {
        this.database = database;
        this.completion = completion;
        this.approvals = approvals;
        this.postponed = postponed;
        this.clock = clock;
    }

    Future<Pauses.DueResult> completeDue(Pauses.CompleteDue ask) {
        return database.read(
                        tx -> waitpoints.due(tx, now(), WaitpointCompletion.nothing(), postponed.ids(), ask.limit()))
                .compose(due -> postponed
                        .each(
                                due,
                                WaitpointStore.DueWaitpoint::key,
                                one -> one.completion().runId(),
                                this::completeDue)
                        .compose(_ -> database.read(tx -> waitpoints.nextDue(tx, postponed.ids())))
                        .map(next -> new Pauses.DueResult(due.size(), next)));
    }

    /** Waitpoints that cannot be completed now are due again after a pause. */
    private Future<Void> completeDue(WaitpointStore.DueWaitpoint due) {
        var completed = due.expired()
                ? expire(due.completion())
                : completion.complete(due.completion()).map(completion::handOver);
        return completed.recover(failure -> isUnknown(failure)
                ? database.read(
                        tx -> waitpoints.remove(tx, List.of(due.completion().runId())))
                : Future.failedFuture(failure));
    }

    Future<Nothing> expire(Pauses.Expire ask) {
        var began = now().minus(ask.pauseMax());
        return database.read(tx ->
                        waitpoints.overdue(tx, began, WaitpointCompletion.nothing(), postponed.ids(), ask.limit()))
                .compose(overdue -> postponed.each(overdue, Pauses.Complete::key, Pauses.Complete::runId, this::expire))
                .map(Nothing.DONE);
    }

    private Future<Void> expire(Pauses.Complete overdue) {
        return database.inTransaction(tx -> waitpoints
                        .lock(tx, overdue.runId())
                        .compose(run -> run.map(locked -> expire(tx, locked, overdue))
                                .orElseGet(() -> completion.gone(tx, overdue.runId()))))
                .onSuccess(completion::announce)
                .map(completion::handOver);
    }

    /** The step of an approval decides what an expired wait means; other steps fail. */
    private Future<Completion> expire(Tx tx, LiveRunRow run, Pauses.Complete overdue) {
        return overdue(tx, overdue)
                .compose(found -> found.filter(WaitpointState::pending)
                        .map(waitpoint -> approvals
                                .payload(tx, waitpoint.id())
                                .compose(decisions -> decisions.isPresent()
                                        ? Future.succeededFuture(decisions.get())
                                        : waitpoints.expire(tx, waitpoint.id()).map(overdue.payload()))
                                .compose(payload ->
                                        completion.complete(tx, overdue.runId(), run, found, RecordText.of(payload))))
                        .orElse(Future.succeededFuture(new Completion.Deferral())));
    }

    private Future<Optional<WaitpointState>> overdue(Tx tx, Pauses.Complete overdue) {
        return switch (overdue.target()) {
            case Target.OfWaitpoint(var id) -> waitpoints.find(tx, overdue.runId(), id);
            case Target.OfRequest _ -> Future.succeededFuture(Optional.empty());
        };
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND;
    }

    /** Current time in the precision of the database. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
