package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Waitpoints.Target;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.store.RunQueryStore;
import io.millrace.engine.run.waitpoint.WaitpointStore.LiveRunRow;
import io.millrace.engine.run.waitpoint.WaitpointStore.WaitpointState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Completes waitpoints. The rows serialize completions: a run resumes exactly once for a completed waitpoint, whether
 * the signal arrives before the pause, after it, twice, or at two nodes at once.
 */
final class WaitpointCompletion {
    private final LongTexts texts;
    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final String nodeId;
    private final RequestIds requestIds;
    private final InstantSource clock;
    private final WaitpointStore waitpoints = new WaitpointStore();
    private final RunQueryStore queries = new RunQueryStore();

    WaitpointCompletion(
            LongTexts texts,
            Bus bus,
            Database database,
            RunShards shards,
            String nodeId,
            RequestIds requestIds,
            InstantSource clock) {
        this.texts = texts;
        this.bus = bus;
        this.database = database;
        this.shards = shards;
        this.nodeId = nodeId;
        this.requestIds = requestIds;
        this.clock = clock;
    }

    Future<Completion> complete(Pauses.Complete ask) {
        return texts.write(ask.payload(), JsonSize.of(ask.payload()))
                .compose(text -> database.durably(
                        RunDurableWrite.RESUMED, () -> database.inTransaction(tx -> complete(tx, ask, text))))
                .onSuccess(this::announce);
    }

    private Future<Completion> complete(Tx tx, Pauses.Complete ask, Buffer payload) {
        return checkIssued(tx, ask.runId(), ask.target())
                .compose(_ -> waitpoints.lock(tx, ask.runId()))
                .compose(run -> run.isPresent() ? complete(tx, ask, run.get(), payload) : gone(tx, ask.runId()));
    }

    /** A call completes no approval: only a recorded decision of an approver does. */
    private Future<Completion> complete(Tx tx, Pauses.Complete ask, LiveRunRow run, Buffer payload) {
        return switch (ask.target()) {
            case Target.OfWaitpoint(var id) ->
                waitpoints
                        .find(tx, ask.runId(), id)
                        .map(found -> found.filter(waitpoint -> !waitpoint.approval()))
                        .compose(found -> complete(tx, ask.runId(), run, found, payload));
            case Target.OfRequest(var requestId) ->
                waitpoints
                        .isAnswered(tx, ask.runId(), requestId)
                        .compose(answered -> answered
                                ? Future.succeededFuture(new Completion.Stale(run.status()))
                                : completeByRequest(tx, ask, requestId, run, payload));
        };
    }

    /** A call that arrives before the pause may be repeated; the same id never completes the next waitpoint, too. */
    private Future<Completion> completeByRequest(
            Tx tx, Pauses.Complete ask, String requestId, LiveRunRow run, Buffer payload) {
        return waitpoints
                .findPendingOfRun(tx, ask.runId())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(new Completion.NotYet(run.status()))
                        : waitpoints
                                .keepAnswered(tx, ask.runId(), requestId)
                                .compose(_ -> complete(tx, ask.runId(), run, found, payload)));
    }

    /**
     * Refuses an id that was not issued for the run, in the same way as an unknown run. Ids without a signature are those of runs
     * that are older than signed links (decision 0106).
     */
    Future<Void> checkIssued(Tx tx, String runId, Target target) {
        if (!(target instanceof Target.OfRequest(var requestId)) || requestIds.isOf(runId, requestId)) {
            return Future.succeededFuture();
        }
        if (!RequestIds.isUnsigned(requestId)) {
            return Future.failedFuture(unknown(runId));
        }
        return waitpoints
                .isOlderThanSignedLinks(tx, runId)
                .compose(older -> older ? Future.succeededFuture() : Future.failedFuture(unknown(runId)));
    }

    Future<Completion> complete(
            Tx tx, String runId, LiveRunRow run, Optional<WaitpointState> waitpoint, Buffer payload) {
        if (waitpoint.isEmpty() || !waitpoint.get().pending()) {
            return Future.succeededFuture(new Completion.Stale(run.status()));
        }
        var found = waitpoint.get();
        return waitpoints
                .complete(tx, found.id(), payload, now())
                .compose(_ -> run.isPausedAt(found)
                        ? take(tx, runId).map(queued -> new Completion.Resumption(queued.run(), queued.notice()))
                        : Future.succeededFuture(new Completion.Deferral()));
    }

    /** A run that has ended leaves no waitpoints; those of a step that outlived it are removed here. */
    Future<Completion> gone(Tx tx, String runId) {
        return waitpoints
                .remove(tx, List.of(runId))
                .compose(_ -> queries.find(tx, runId))
                .map(run -> new Completion.Over(
                        run.orElseThrow(() -> unknown(runId)).status()));
    }

    Future<WaitpointStore.RunHandover> take(Tx tx, String runId) {
        var status =
                RunRow.on(RunStatus.PAUSED.ofRow(), RowEvent.Queueing.RESUMED).orElseThrow();
        return waitpoints.queue(tx, status, runId, nodeId, now());
    }

    void announce(Completion completion) {
        if (completion instanceof Completion.Resumption(var _, var notice)) {
            bus.publish(notice);
        }
    }

    Void handOver(Completion completion) {
        if (completion instanceof Completion.Resumption(var run, var _)) {
            bus.tell(RunShards.adoptionAddress(shards.shardOf(run.runId())), run);
        }
        return null;
    }

    /** Payload for a step whose delay has elapsed. */
    static ObjectNode nothing() {
        var payload = Json.object();
        payload.putObject("body");
        payload.putObject("headers");
        payload.putObject("queryParams");
        return payload;
    }

    static ApiException unknown(String runId) {
        return ApiException.notFound("flow_run", runId);
    }

    /** Current time in the precision of the database. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
