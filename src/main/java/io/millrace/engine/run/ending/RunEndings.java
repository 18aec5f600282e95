package io.millrace.engine.run.ending;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.journal.LoggedResults;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.store.LiveRunStore;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.engine.run.store.RunService;
import io.millrace.engine.run.store.StoredRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends live runs without an actor, by their recorded results. */
public final class RunEndings implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(RunEndings.class);

    private static final long DEADLINE_MS = 30_000;

    private final LongTexts texts;
    private final Bus bus;
    private final Database database;
    private final String nodeId;
    private final InstantSource clock;
    private final LiveRunStore runs = new LiveRunStore();
    private final RunOwnerStore owners = new RunOwnerStore();

    public RunEndings(Vertx vertx, Bus bus, Database database, String nodeId, InstantSource clock) {
        this.texts = new LongTexts(vertx);
        this.bus = bus;
        this.database = database;
        this.nodeId = nodeId;
        this.clock = clock;
    }

    /**
     * Ends a run. Answered with its final status; empty when it had ended before, or has another owner.
     *
     * @param fence ownership by which it is ended
     * @param asPaused whether the log stored at its pause is its log
     */
    record End(String runId, long fence, RowEvent.Closing why, boolean asPaused)
            implements BusRequest<Optional<RunStatus>> {}

    /**
     * Ends a run that was executing during too many crashes of servers. Answered with its header; empty when it has
     * ended before, or has another owner.
     *
     * @param withoutLog whether its values are left unread, because reading may end servers; they are lost
     */
    record SetAside(OwnedRun run, boolean withoutLog) implements BusRequest<Optional<RunWrite.RunHeader>> {}

    @Override
    public void open(Bus bus) {
        bus.serve(End.class, this::end);
        bus.serve(SetAside.class, this::setAside);
    }

    private Future<Optional<RunStatus>> end(End end) {
        return database.read(tx -> runs.live(tx, end.runId())
                        .compose(live -> end.asPaused()
                                ? runs.pausedLog(tx, end.runId()).map(log -> new UnfinishedRun(live, log))
                                : Future.succeededFuture(new UnfinishedRun(live, Optional.empty()))))
                .compose(left -> left.run()
                        .filter(stored -> stored.run().fence() == end.fence())
                        .flatMap(stored -> RunRow.on(stored.run().status().ofRow(), end.why())
                                .map(status -> end(stored, left.log(), status, null)
                                        .map(isOurs -> isOurs
                                                ? Optional.of(RunStatus.of(status))
                                                : Optional.<RunStatus>empty())))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private record UnfinishedRun(Optional<StoredRun> run, Optional<byte[]> log) {}

    private Future<Boolean> end(StoredRun stored, Optional<byte[]> log, EndStatus status, FailedStep failedStep) {
        return texts.read(stored.bytes(), () -> ending(stored.read(), log, status, failedStep))
                .compose(ending -> write(stored.run(), ending));
    }

    private RunWrite.Ending ending(RunSnapshot left, Optional<byte[]> log, EndStatus status, FailedStep failedStep) {
        var steps = LoggedResults.log(left.payload(), left.recorded().records());
        var stepsCount = LoggedResults.restored(steps).size();
        var text = log.map(Buffer::buffer).orElseGet(() -> RecordText.of(steps));
        return new RunWrite.Ending(status, clock.instant(), failedStep, left.tags(), stepsCount, text);
    }

    private Future<Boolean> write(RunSnapshot run, RunWrite.Ending ending) {
        return bus.ask(RunService.WRITER, new RunWrite.End(run.header(), run.fence(), ending, null), DEADLINE_MS)
                .onSuccess(isOurs -> {
                    if (isOurs && run.header().environment() == RunEnvironment.TESTING) {
                        tellStepTested(run.header());
                    }
                });
    }

    /** An editor waits for the end of the test of a step, which the run's actor announces otherwise. */
    private void tellStepTested(RunWrite.RunHeader run) {
        bus.ask(new StepTests.StepOf(run.id()), DEADLINE_MS)
                .onSuccess(step -> step.ifPresent(
                        _ -> bus.publish(new Runs.StepTested(run.projectId(), run.id(), Json.object(), Json.object()))))
                .onFailure(cause -> LOG.warn("cannot publish the end of test {}: {}", run.id(), cause.getMessage()));
    }

    /** Reading the run counts as its execution: if it ends this server too, it is not read again. */
    private Future<Optional<RunWrite.RunHeader>> setAside(SetAside ask) {
        return database.read(tx -> owners.beginReading(
                                tx, nodeId, List.of(ask.run().runId()))
                        .compose(_ -> owners.stepAtWork(tx, ask.run()))
                        .compose(step -> left(tx, ask).map(run -> new Suspect(run, step))))
                .compose(suspect -> suspect.run()
                        .filter(stored -> stored.run().fence() == ask.run().fence())
                        .flatMap(stored -> RunRow.on(stored.run().status().ofRow(), RowEvent.Closing.SET_ASIDE)
                                .map(status -> setAside(ask, stored, status, suspect.failedStep(ask.run()))))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private Future<Optional<StoredRun>> left(Tx tx, SetAside ask) {
        return ask.withoutLog()
                ? runs.header(tx, ask.run().runId())
                : runs.live(tx, ask.run().runId());
    }

    private Future<Optional<RunWrite.RunHeader>> setAside(
            SetAside ask, StoredRun stored, EndStatus status, FailedStep step) {
        var ended = ask.withoutLog()
                ? write(
                        stored.run(),
                        new RunWrite.Ending(
                                status, clock.instant(), step, stored.run().tags(), 0, null))
                : end(stored, Optional.empty(), status, step);
        return ended.map(isOurs -> isOurs ? Optional.of(stored.run().header()) : Optional.empty());
    }

    /**
     * A run that is to be set aside.
     *
     * @param step path of the step that was executing, if known
     */
    private record Suspect(Optional<StoredRun> run, Optional<String> step) {
        FailedStep failedStep(OwnedRun owned) {
            var name =
                    step.map(path -> path.substring(path.lastIndexOf('.') + 1)).orElse("trigger");
            var message = "The server ended " + owned.crashes() + " times while this run was executing"
                    + step.map(path -> " at " + path).orElse(" before its first step")
                    + ". It is not resumed automatically; fix the cause and retry it.";
            return new FailedStep(name, name, message);
        }
    }
}
