package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.Stage;
import io.millrace.engine.run.Waitpoints.Target;
import io.millrace.engine.run.ending.InternalErrorRetry;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.start.StartKeyStore;
import io.millrace.engine.run.store.LiveRunStore;
import io.millrace.engine.run.store.RunQueryStore;
import io.millrace.engine.run.waitpoint.WaitpointStore.FailedChild;
import io.millrace.engine.run.waitpoint.WaitpointStore.Found;
import io.millrace.engine.run.waitpoint.WaitpointStore.Locked;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps waitpoints and the runs that pause at them (contract flows-and-engine 12). The rows decide: a run goes on
 * exactly once for a completed waitpoint, whether the signal comes before the pause, after it, twice, or to two nodes
 * at once.
 */
public final class WaitpointService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(WaitpointService.class);

    private final LongTexts texts;
    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final String nodeId;
    private final Supplier<String> publicUrl;
    private final RequestIds requestIds;
    private final InstantSource clock;
    private final Postponed postponed;
    private final WaitpointStore waitpoints = new WaitpointStore();
    private final StartKeyStore keys = new StartKeyStore();
    private final RunQueryStore queries = new RunQueryStore();
    private final LiveRunStore liveRuns = new LiveRunStore();

    public WaitpointService(
            Vertx vertx,
            Bus bus,
            Database database,
            RunShards shards,
            String nodeId,
            Supplier<String> publicUrl,
            RequestIds requestIds,
            InstantSource clock) {
        this.texts = new LongTexts(vertx);
        this.bus = bus;
        this.database = database;
        this.shards = shards;
        this.nodeId = nodeId;
        this.publicUrl = publicUrl;
        this.requestIds = requestIds;
        this.clock = clock;
        this.postponed = new Postponed(clock);
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(Pauses.Create.class, this::create);
        bus.serve(Pauses.Pause.class, this::pause);
        bus.serve(Pauses.Complete.class, this::complete);
        bus.serve(Pauses.CompleteDue.class, this::completeDue);
        bus.serve(Pauses.Expire.class, this::expire);
        bus.serve(Pauses.FailParent.class, this::failParent);
        bus.serve(Pauses.FailParents.class, this::failParents);
        bus.serve(Waitpoints.Look.class, this::look);
        bus.serve(Waitpoints.WaitUntil.class, this::waitUntil);
    }

    private Future<String> create(Pauses.Create create) {
        return database.durably(
                        RunDurableWrite.WAITPOINT,
                        () -> database.read(tx -> waitpoints.insert(tx, Ids.next(), create, now())))
                .map(id -> id.orElseThrow(
                        () -> ApiException.of(ErrorCode.UNAVAILABLE, "run " + create.runId() + " has another owner")))
                .onSuccess(_ -> announce(create.wanted().resumeAt()));
    }

    private Future<Nothing> waitUntil(Waitpoints.WaitUntil ask) {
        return database.read(tx -> waitpoints.waitUntil(tx, ask))
                .onSuccess(_ -> announce(ask.end()))
                .map(Nothing.DONE);
    }

    private void announce(Instant resumeAt) {
        if (resumeAt != null) {
            bus.publish(new Waitpoints.DelayAdded(resumeAt));
        }
    }

    /** What became of a pause, and what is told of a run that goes on at once. */
    private record PauseOutcome(Pauses.Paused paused, Optional<Waitpoints.RunResumed> notice) {
        static PauseOutcome of(boolean held) {
            return new PauseOutcome(new Pauses.Paused(held, null), Optional.empty());
        }
    }

    private Future<Pauses.Paused> pause(Pauses.Pause pause) {
        return database.durably(
                        RunDurableWrite.PAUSED,
                        () -> database.inTransaction(tx -> waitpoints
                                .lock(tx, pause.runId())
                                .compose(run -> run.isPresent() && run.get().fence() == pause.fence()
                                        ? pause(tx, pause)
                                        : Future.succeededFuture(PauseOutcome.of(false)))))
                .onSuccess(paused -> paused.notice().ifPresent(bus::publish))
                .map(PauseOutcome::paused);
    }

    /** The waitpoint is read behind the lock, so a signal that was just recorded is seen. */
    private Future<PauseOutcome> pause(Tx tx, Pauses.Pause pause) {
        return waitpoints
                .find(tx, pause.runId(), pause.waitpointId())
                .map(found -> found.orElseThrow(
                        () -> new IllegalStateException("run " + pause.runId() + " waits for no waitpoint of its own")))
                .compose(waitpoint -> waitpoints
                        .pause(tx, pause, now())
                        .compose(_ -> keepAnswer(tx, pause))
                        .compose(_ -> waitpoint.pending()
                                ? Future.succeededFuture(PauseOutcome.of(true))
                                : take(tx, pause.runId())
                                        .map(queued -> new PauseOutcome(
                                                new Pauses.Paused(true, queued.run()), Optional.of(queued.notice())))));
    }

    private Future<Void> keepAnswer(Tx tx, Pauses.Pause pause) {
        return pause.answer() == null ? Future.succeededFuture() : keys.keepAnswer(tx, pause.runId(), pause.answer());
    }

    private Future<Completion> complete(Pauses.Complete ask) {
        return texts.write(ask.payload(), JsonSize.of(ask.payload()))
                .compose(text -> database.durably(
                        RunDurableWrite.RESUMED, () -> database.inTransaction(tx -> complete(tx, ask, text))))
                .onSuccess(this::announce);
    }

    private Future<Completion> complete(Tx tx, Pauses.Complete ask, Buffer payload) {
        checkIssued(ask.runId(), ask.target());
        return waitpoints
                .lock(tx, ask.runId())
                .compose(run -> run.isPresent() ? complete(tx, ask, run.get(), payload) : gone(tx, ask.runId()));
    }

    private Future<Completion> complete(Tx tx, Pauses.Complete ask, Locked run, Buffer payload) {
        return switch (ask.target()) {
            case Target.OfWaitpoint(var id) ->
                waitpoints.find(tx, ask.runId(), id).compose(found -> complete(tx, ask.runId(), run, found, payload));
            case Target.OfRequest(var requestId) ->
                waitpoints
                        .isAnswered(tx, ask.runId(), requestId)
                        .compose(answered -> answered
                                ? Future.succeededFuture(new Completion.Stale(run.status()))
                                : completeByRequest(tx, ask, requestId, run, payload));
        };
    }

    /** Who is earlier than the run may come again; the same id is never good for the next waitpoint, too. */
    private Future<Completion> completeByRequest(
            Tx tx, Pauses.Complete ask, String requestId, Locked run, Buffer payload) {
        return waitpoints
                .findPendingOfRun(tx, ask.runId())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(new Completion.NotYet(run.status()))
                        : waitpoints
                                .keepAnswered(tx, ask.runId(), requestId)
                                .compose(_ -> complete(tx, ask.runId(), run, found, payload)));
    }

    /** Whoever guesses the id of a request does not learn whether there is such a run. */
    private void checkIssued(String runId, Target target) {
        if (target instanceof Target.OfRequest(var requestId) && !requestIds.isOf(runId, requestId)) {
            throw unknown(runId);
        }
    }

    private Future<Completion> complete(Tx tx, String runId, Locked run, Optional<Found> waitpoint, Buffer payload) {
        if (waitpoint.isEmpty() || !waitpoint.get().pending()) {
            return Future.succeededFuture(new Completion.Stale(run.status()));
        }
        var found = waitpoint.get();
        return waitpoints
                .complete(tx, found.id(), payload, now())
                .compose(_ -> run.isPausedAt(found)
                        ? take(tx, runId).map(queued -> new Completion.Taken(queued.run(), queued.notice()))
                        : Future.succeededFuture(new Completion.Kept()));
    }

    /** A run that has ended leaves no waitpoints; those of a step that outlived it are removed here. */
    private Future<Completion> gone(Tx tx, String runId) {
        return waitpoints
                .remove(tx, List.of(runId))
                .compose(_ -> queries.find(tx, runId))
                .map(run -> new Completion.Over(
                        run.orElseThrow(() -> unknown(runId)).status()));
    }

    /** The run goes on, at this node. */
    private Future<WaitpointStore.Queued> take(Tx tx, String runId) {
        var status =
                RunRow.on(RunStatus.PAUSED.ofRow(), RowEvent.Queueing.RESUMED).orElseThrow();
        return waitpoints.queue(tx, status, runId, nodeId, now());
    }

    private void announce(Completion completion) {
        if (completion instanceof Completion.Taken(var _, var notice)) {
            bus.publish(notice);
        }
    }

    private Future<Pauses.Due> completeDue(Pauses.CompleteDue ask) {
        return database.read(tx -> waitpoints.due(tx, now(), nothing(), postponed.ids(), ask.limit()))
                .compose(due -> each(due, WaitpointStore.Due::key, this::completeDue)
                        .compose(_ -> database.read(tx -> waitpoints.nextDue(tx, postponed.ids())))
                        .map(next -> new Pauses.Due(due.size(), next)));
    }

    /** What cannot be completed now is due again after a while. */
    private Future<Void> completeDue(WaitpointStore.Due due) {
        var completed = due.expired()
                ? expire(due.completion())
                : complete(due.completion()).map(this::handOver);
        return completed.recover(failure -> isUnknown(failure)
                ? database.read(
                        tx -> waitpoints.remove(tx, List.of(due.completion().runId())))
                : Future.failedFuture(failure));
    }

    private Future<Nothing> expire(Pauses.Expire ask) {
        var began = now().minus(ask.pauseMax());
        return database.read(tx -> waitpoints.overdue(tx, began, nothing(), postponed.ids(), ask.limit()))
                .compose(overdue -> each(overdue, Pauses.Complete::key, this::expire))
                .map(Nothing.DONE);
    }

    private Future<Void> expire(Pauses.Complete overdue) {
        return database.inTransaction(tx -> waitpoints
                        .lock(tx, overdue.runId())
                        .compose(run -> run.map(locked -> expire(tx, locked, overdue))
                                .orElseGet(() -> gone(tx, overdue.runId()))))
                .onSuccess(this::announce)
                .map(this::handOver);
    }

    private Future<Completion> expire(Tx tx, Locked run, Pauses.Complete overdue) {
        return overdue(tx, overdue)
                .compose(found -> found.filter(Found::pending)
                        .map(waitpoint -> waitpoints
                                .expire(tx, waitpoint.id())
                                .compose(_ ->
                                        complete(tx, overdue.runId(), run, found, RecordText.of(overdue.payload()))))
                        .orElse(Future.succeededFuture(new Completion.Kept())));
    }

    private Future<Optional<Found>> overdue(Tx tx, Pauses.Complete overdue) {
        return switch (overdue.target()) {
            case Target.OfWaitpoint(var id) -> waitpoints.find(tx, overdue.runId(), id);
            case Target.OfRequest _ -> Future.succeededFuture(Optional.empty());
        };
    }

    /** The run goes on in its shard, for whoever waits for it there. */
    private Void handOver(Completion completion) {
        if (completion instanceof Completion.Taken(var run, var _)) {
            bus.tell(RunShards.adoptionAddress(shards.shardOf(run.runId())), run);
        }
        return null;
    }

    /** What a moment brings its step. */
    private static ObjectNode nothing() {
        var payload = Json.object();
        payload.putObject("body");
        payload.putObject("headers");
        payload.putObject("queryParams");
        return payload;
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND;
    }

    private Future<Nothing> failParent(Pauses.FailParent ask) {
        var child = ask.child();
        return database.read(tx -> waitpoints.failureMessage(tx, child.id(), child.created()))
                .compose(message -> failParent(new FailedChild(
                        child.id(),
                        child.projectId(),
                        child.parentRunId(),
                        child.created(),
                        ask.status(),
                        message.orElse(null))))
                .map(Nothing.DONE);
    }

    private Future<Nothing> failParents(Pauses.FailParents ask) {
        var brokenBefore = clock.instant().minus(InternalErrorRetry.SETTLED_AFTER);
        return database.read(tx -> waitpoints.failedChildren(tx, ask.limit(), brokenBefore, postponed.ids()))
                .compose(children -> each(children, FailedChild::runId, this::failParent))
                .map(Nothing.DONE);
    }

    /** Only a parent of the same project: who sends the header need not be who owns the run that it names. */
    private Future<Void> failParent(FailedChild child) {
        var parentId = child.parentRunId();
        return database.inTransaction(tx -> waitpoints
                        .lock(tx, parentId)
                        .compose(found -> found.filter(
                                        parent -> parent.projectId().equals(child.projectId()))
                                .map(parent -> failParent(tx, parent, child))
                                .orElseGet(() -> Future.succeededFuture(new Completion.Kept()))))
                .onSuccess(this::announce)
                .map(this::handOver);
    }

    private Future<Completion> failParent(Tx tx, Locked parent, FailedChild child) {
        return waitpoints
                .findPendingForChild(tx, child.parentRunId(), child.created())
                .compose(found -> complete(tx, child.parentRunId(), parent, found, RecordText.of(failureOf(child))));
    }

    /** What the parent is told of its child (contract flows-and-engine 14.3). */
    private ObjectNode failureOf(FailedChild child) {
        var payload = nothing();
        payload.putObject("body")
                .put("status", "error")
                .putObject("data")
                .put("message", child.message() == null ? "The subflow run has not succeeded" : child.message())
                .put("status", child.status().name())
                .put("link", publicUrl.get() + "/projects/" + child.projectId() + "/runs/" + child.runId());
        return payload;
    }

    private Future<Waitpoints.WaitpointView> look(Waitpoints.Look ask) {
        checkIssued(ask.runId(), ask.target());
        return database.read(tx -> queries.find(tx, ask.runId()).compose(found -> {
            var run = found.orElseThrow(() -> unknown(ask.runId()));
            return (run.status().isTerminal() ? Future.succeededFuture(Stage.OVER) : stage(tx, run.id(), ask.target()))
                    .compose(stage -> question(tx, run.id(), stage)
                            .map(question -> new Waitpoints.WaitpointView(
                                    run.projectId(),
                                    run.flowId(),
                                    run.flowVersionId(),
                                    run.flowDisplayName(),
                                    stage,
                                    question)));
        }));
    }

    private Future<Optional<Waitpoints.Prompt>> question(Tx tx, String runId, Stage stage) {
        return stage == Stage.PENDING
                ? liveRuns.pausedLog(tx, runId).map(log -> log.flatMap(PausedPrompt::in))
                : Future.succeededFuture(Optional.empty());
    }

    private Future<Stage> stage(Tx tx, String runId, Target target) {
        return switch (target) {
            case Target.OfWaitpoint(var id) ->
                waitpoints
                        .find(tx, runId, id)
                        .map(found -> found.filter(Found::pending).isPresent() ? Stage.PENDING : Stage.OVER);
            case Target.OfRequest(var requestId) ->
                waitpoints
                        .isAnswered(tx, runId, requestId)
                        .compose(answered -> answered
                                ? Future.succeededFuture(Stage.OVER)
                                : waitpoints
                                        .findPendingOfRun(tx, runId)
                                        .map(found -> found.isPresent() ? Stage.PENDING : Stage.NOT_YET));
        };
    }

    /**
     * All of them, whatever becomes of each: one that fails is left alone for a while, so that it keeps none of those
     * behind it waiting. While the database is away none is to blame.
     */
    private <T> Future<Void> each(List<T> items, Function<T, String> key, Function<T, Future<Void>> work) {
        return Future.join(items.stream()
                        .map(item -> work.apply(item)
                                .onSuccess(_ -> postponed.succeeded(key.apply(item)))
                                .recover(failure -> ApiException.isUnavailable(failure)
                                        ? Future.failedFuture(failure)
                                        : postpone(key.apply(item), failure)))
                        .toList())
                .mapEmpty();
    }

    private Future<Void> postpone(String key, Throwable failure) {
        LOG.warn("{} cannot go on now, and is tried again later: {}", key, failure.getMessage());
        postponed.failed(key);
        return Future.succeededFuture();
    }

    private static ApiException unknown(String runId) {
        return ApiException.notFound("flow_run", runId);
    }

    /** As precise as the database keeps it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
