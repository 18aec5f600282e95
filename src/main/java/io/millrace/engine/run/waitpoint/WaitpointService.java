package io.millrace.engine.run.waitpoint;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.Stage;
import io.millrace.engine.run.Waitpoints.Target;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.start.StartKeyStore;
import io.millrace.engine.run.store.LiveRunStore;
import io.millrace.engine.run.store.RunQueryStore;
import io.millrace.engine.run.waitpoint.WaitpointStore.WaitpointState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores waitpoints and the runs that pause at them (contract flows-and-engine 12). {@link WaitpointCompletion}
 * completes waits by a signal, {@link DueWaitpoints} and {@link ParentFailures} the others.
 */
public final class WaitpointService implements BusService {
    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final LongTexts texts;
    private final WaitpointCompletion completion;
    private final DueWaitpoints due;
    private final ParentFailures parents;
    private final ApprovalService approvals;
    private final ApprovalStore approvalRows = new ApprovalStore();
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
        this.bus = bus;
        this.database = database;
        this.clock = clock;
        this.texts = new LongTexts(vertx);
        var postponed = new FailureBackoff(clock);
        this.completion = new WaitpointCompletion(texts, bus, database, shards, nodeId, requestIds, clock);
        this.approvals = new ApprovalService(database, completion, clock);
        this.due = new DueWaitpoints(database, completion, approvals, postponed, clock);
        this.parents = new ParentFailures(database, completion, postponed, publicUrl, clock);
    }

    @Override
    public void open(Bus ignored) {
        approvals.open(bus);
        bus.serve(Pauses.Create.class, this::create);
        bus.serve(Pauses.Pause.class, this::pause);
        bus.serve(Pauses.Complete.class, completion::complete);
        bus.serve(Pauses.CompleteDue.class, due::completeDue);
        bus.serve(Pauses.Expire.class, due::expire);
        bus.serve(Pauses.FailParent.class, parents::failParent);
        bus.serve(Pauses.FailParents.class, parents::failParents);
        bus.serve(Waitpoints.Look.class, this::look);
        bus.serve(Waitpoints.FindWaitingSteps.class, ask -> database.read(tx -> waitpoints.waitingSteps(tx, ask)));
        bus.serve(Waitpoints.FindWaiting.class, ask -> database.read(tx -> findWaiting(tx, ask)));
        bus.serve(
                Waitpoints.CountWaiting.class,
                ask -> database.read(tx -> decider(tx, ask.projectId(), ask.deciderId())
                        .compose(decider -> waitpoints.countWaiting(tx, ask, decider))));
        bus.serve(Waitpoints.WaitUntil.class, this::waitUntil);
    }

    private Future<Page<Waitpoints.WaitingRun>> findWaiting(Tx tx, Waitpoints.FindWaiting ask) {
        return ask.deciderId()
                .map(userId -> decider(tx, ask.projectId(), userId).map(Optional::of))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .compose(decider -> waitpoints.waiting(tx, ask, decider));
    }

    /** A caller without a user is an approver of no request. */
    private Future<ApprovalStore.Reader> decider(Tx tx, String projectId, String userId) {
        return approvalRows
                .reader(tx, projectId, userId)
                .map(found -> found.orElseGet(() -> new ApprovalStore.Reader("", "")));
    }

    private Future<String> create(Pauses.Create create) {
        return database.durably(
                        RunDurableWrite.WAITPOINT,
                        () -> create.wanted().approval().isEmpty()
                                ? database.read(tx -> waitpoints.insert(tx, Ids.next(), create, now()))
                                : database.inTransaction(tx -> createWithApproval(tx, create)))
                .map(id -> id.orElseThrow(
                        () -> ApiException.of(ErrorCode.UNAVAILABLE, "run " + create.runId() + " has another owner")))
                .onSuccess(_ -> announce(create.wanted().resumeAt()));
    }

    private Future<Optional<String>> createWithApproval(Tx tx, Pauses.Create create) {
        var request = create.wanted().approval().orElseThrow();
        return waitpoints
                .insert(tx, Ids.next(), create, now())
                .compose(id -> id.isEmpty()
                        ? Future.succeededFuture(id)
                        : approvalRows
                                .insert(tx, id.get(), create.projectId(), request, now())
                                .map(id));
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

    /** Result of a pause, and the notice about a run that continues at once. */
    private record PauseOutcome(Pauses.PauseResult paused, Optional<Waitpoints.RunResumed> notice) {
        static PauseOutcome of(boolean held) {
            return new PauseOutcome(new Pauses.PauseResult(held, null), Optional.empty());
        }
    }

    private Future<Pauses.PauseResult> pause(Pauses.Pause pause) {
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

    /** The waitpoint is read after the lock is taken, so a signal recorded just before is seen. */
    private Future<PauseOutcome> pause(Tx tx, Pauses.Pause pause) {
        return waitpoints
                .find(tx, pause.runId(), pause.place().waitpointId())
                .map(found -> found.orElseThrow(() -> new IllegalStateException(
                        "run " + pause.runId() + " is not waiting for one of its waitpoints")))
                .compose(waitpoint -> waitpoints
                        .pause(tx, pause, now())
                        .compose(_ -> keepAnswer(tx, pause))
                        .compose(_ -> waitpoint.pending()
                                ? Future.succeededFuture(PauseOutcome.of(true))
                                : completion
                                        .take(tx, pause.runId())
                                        .map(queued -> new PauseOutcome(
                                                new Pauses.PauseResult(true, queued.run()),
                                                Optional.of(queued.notice())))));
    }

    private Future<Void> keepAnswer(Tx tx, Pauses.Pause pause) {
        return pause.record().answer() == null
                ? Future.succeededFuture()
                : keys.keepAnswer(tx, pause.runId(), pause.record().answer());
    }

    /** The log is parsed after the transaction: a long one takes a while, and needs no connection. */
    private Future<Waitpoints.WaitpointView> look(Waitpoints.Look ask) {
        return database.read(tx -> completion
                        .checkIssued(tx, ask.runId(), ask.target())
                        .compose(_ -> queries.find(tx, ask.runId()))
                        .compose(found -> sight(
                                tx, found.orElseThrow(() -> WaitpointCompletion.unknown(ask.runId())), ask.target())))
                .compose(sight -> prompt(sight.log())
                        .map(prompt -> new Waitpoints.WaitpointView(
                                sight.run().projectId(),
                                sight.run().flowId(),
                                sight.run().flowVersionId(),
                                sight.run().flowDisplayName(),
                                sight.stage(),
                                prompt)));
    }

    /**
     * A run and its waitpoint.
     *
     * @param log of a run that waits
     */
    private record Sight(Run run, Stage stage, Optional<byte[]> log) {}

    private Future<Sight> sight(Tx tx, Run run, Target target) {
        return (run.status().isTerminal() ? Future.succeededFuture(Stage.OVER) : stage(tx, run.id(), target))
                .compose(stage -> (stage == Stage.PENDING
                                ? liveRuns.pausedLog(tx, run.id())
                                : Future.succeededFuture(Optional.<byte[]>empty()))
                        .map(log -> new Sight(run, stage, log)));
    }

    private Future<Optional<Waitpoints.Prompt>> prompt(Optional<byte[]> log) {
        return log.map(kept -> texts.read(kept.length, () -> PausedPrompt.in(kept)))
                .orElse(Future.succeededFuture(Optional.empty()));
    }

    private Future<Stage> stage(Tx tx, String runId, Target target) {
        return switch (target) {
            case Target.OfWaitpoint(var id) ->
                waitpoints
                        .find(tx, runId, id)
                        .map(found -> found.filter(WaitpointState::pending).isPresent() ? Stage.PENDING : Stage.OVER);
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

    /** Current time in the precision of the database. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
