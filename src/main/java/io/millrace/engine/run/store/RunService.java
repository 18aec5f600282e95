package io.millrace.engine.run.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.step.StepType;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.FlushMeters;
import io.millrace.base.persistence.GroupCommit;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.actor.RunView;
import io.millrace.engine.run.admission.RecentStarts;
import io.millrace.engine.run.log.LongTexts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and writes runs for all modules, in the persistence verticle. All hot writes pass one batching writer. */
public final class RunService implements BusService {
    public static final String WRITER = "run.writer";

    private static final GroupCommit.Limits WRITER_LIMITS =
            new GroupCommit.Limits(1, 500, 8 << 20, 100_000, 512 << 20, 20_000);

    private static final long VIEW_DEADLINE_MS = 2_000;

    private final Bus bus;
    private final RunShards shards;
    private final LongTexts texts;
    private final Database database;
    private final String nodeId;
    private final InstantSource clock;
    private final RunStore store = new RunStore();
    private final LiveRunStore liveRuns = new LiveRunStore();
    private final RunArchiveStore archives = new RunArchiveStore();
    private final RunQueryStore queries = new RunQueryStore();
    private final RunAttemptStore attempts = new RunAttemptStore();
    private final GroupCommit<RunWrite, Boolean> writer;

    /** @param startPatience how long the start of a run waits for an unavailable database */
    public RunService(
            Vertx vertx,
            Bus bus,
            Database database,
            RunShards shards,
            String nodeId,
            Duration startPatience,
            FlushMeters meters,
            InstantSource clock) {
        this.bus = bus;
        this.shards = shards;
        this.texts = new LongTexts(vertx);
        this.database = database;
        this.nodeId = nodeId;
        this.clock = clock;
        this.writer = new GroupCommit<>(
                WRITER_LIMITS,
                RunWrite::bytes,
                write -> write.isStart() ? startPatience.toMillis() : WRITER_LIMITS.patienceMs(),
                meters.around(this::flush),
                delayMs -> vertx.timer(delayMs).mapEmpty(),
                database::unavailableMs);
    }

    @Override
    public void open(Bus bus) {
        bus.serveAt(WRITER, RunWrite.class, this::write);
        bus.serve(RunQueries.Get.class, this::get);
        bus.serve(RunQueries.Find.class, this::find);
        bus.serve(RunQueries.FindLog.class, ask -> database.read(tx -> queries.log(tx, ask.runId())));
        bus.serve(RunQueries.FindAttempts.class, ask -> database.read(tx -> attempts.ofRun(tx, ask.runId())));
        bus.serve(RunQueries.FindLatest.class, ask -> database.read(tx -> queries.latest(tx, ask)));
        bus.serve(RunQueries.CountByStatus.class, this::countByStatus);
        bus.serve(RunCommands.Archive.class, this::archive);
        bus.serve(RunQueries.Look.class, this::look);
        bus.serve(Waitpoints.LookAtStep.class, this::lookAtStep);
        bus.serve(RunQueries.Measure.class, _ -> database.read(tx -> queries.gauges(tx, clock.instant())));
        bus.serve(RunQueries.ProjectOf.class, this::projectOf);
        bus.serve(RecentStarts.class, ask -> database.read(tx -> queries.startsAfter(tx, ask)));
    }

    private Future<Boolean> write(RunWrite write) {
        return database.answering(true, () -> writer.submit(write));
    }

    private Future<List<Boolean>> flush(List<RunWrite> writes) {
        return database.durably(
                () -> EnumSet.copyOf(writes.stream().map(RunWrite::kind).toList()),
                () -> database.urgent().read(tx -> flush(tx, writes)));
    }

    private Future<List<Boolean>> flush(Tx tx, List<RunWrite> writes) {
        return store.write(tx, writes).compose(written -> {
            var doubtful = writes.stream()
                    .filter(write -> !(write instanceof RunWrite.Append || write instanceof RunWrite.Show))
                    .filter(write -> !written.contains(write.runId()))
                    .toList();
            return doubtful.isEmpty()
                    ? Future.succeededFuture(results(writes, written))
                    : store.alreadyWritten(tx, doubtful, nodeId).map(before -> {
                        written.addAll(before);
                        return results(writes, written);
                    });
        });
    }

    private static List<Boolean> results(List<RunWrite> writes, Set<String> written) {
        return writes.stream().map(write -> written.contains(write.runId())).toList();
    }

    private Future<Page<Run>> find(RunQueries.Find find) {
        return database.read(tx -> queries.page(tx, find.filter(), find.page()));
    }

    private Future<Map<RunStatus, Integer>> countByStatus(RunQueries.CountByStatus count) {
        return database.read(tx -> queries.countByStatus(tx, count.filter()));
    }

    private Future<Nothing> archive(RunCommands.Archive archive) {
        return database.inTransaction(tx -> archives.archive(tx, archive.filter(), clock.instant()))
                .map(Nothing.DONE);
    }

    private Future<Run> look(RunQueries.Look ask) {
        return database.read(tx -> queries.find(tx, ask.runId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_run", ask.runId())));
    }

    /** A waiting step has its own record, without the input: subscribers have received that before. */
    private Future<Optional<Waitpoints.StepSoFar>> lookAtStep(Waitpoints.LookAtStep ask) {
        return database.read(tx -> liveRuns.pausedAt(tx, ask.runId()))
                .compose(paused -> paused.map(at -> bus.ask(new Waitpoints.SoFar(at.waitpointId()), VIEW_DEADLINE_MS)
                                .compose(output -> output.map(known -> seen(ask.runId(), at, known))
                                        .orElse(Future.succeededFuture(Optional.empty()))))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private Future<Optional<Waitpoints.StepSoFar>> seen(String runId, LiveRunStore.PausedAt at, JsonNode output) {
        var record = Json.object().put("type", StepType.ActionType.PIECE.name()).put("status", RunStatus.PAUSED.name());
        record.set("output", output);
        return database.read(tx -> queries.find(tx, runId))
                .map(found ->
                        found.map(run -> new Waitpoints.StepSoFar(run, StepProgress.underWay(at.path(), record))));
    }

    private Future<String> projectOf(RunQueries.ProjectOf ask) {
        return database.read(tx -> queries.projectOf(tx, ask.runId()))
                .map(project -> project.orElseThrow(() -> ApiException.notFound("flow_run", ask.runId())));
    }

    /**
     * A run that executes here shows its current progress; one that waits for a step with intermediate output shows
     * that; any other shows its recorded results.
     */
    private Future<Buffer> get(RunQueries.Get ask) {
        return recorded(ask).compose(found -> {
            if (found.is(RunStatus.RUNNING)) {
                return seen(ask.runId())
                        .compose(seen -> seen.map(view -> Future.succeededFuture(found.text(view)))
                                .orElseGet(() -> read(found)));
            }
            return found.is(RunStatus.PAUSED)
                    ? soFar(found).compose(output -> read(found.showing(output)))
                    : read(found);
        });
    }

    private Future<Buffer> read(RecordedRun found) {
        return texts.read(found.bytes(), found::text);
    }

    /** Intermediate output that does not arrive in time is omitted. */
    private Future<Optional<JsonNode>> soFar(RecordedRun found) {
        return found.pause()
                .map(pause -> bus.ask(new Waitpoints.SoFar(pause.waitpointId()), VIEW_DEADLINE_MS)
                        .otherwise(Optional.empty()))
                .orElse(Future.succeededFuture(Optional.empty()));
    }

    /** A shard that does not answer in time may be writing the log that was requested. */
    private Future<Optional<RunView.CurrentLog>> seen(String runId) {
        return bus.ask(shards.viewAddressOf(runId), new RunView(runId), VIEW_DEADLINE_MS)
                .otherwise(Optional.empty());
    }

    private Future<RecordedRun> recorded(RunQueries.Get ask) {
        return database.read(tx -> queries.find(tx, ask.runId()).compose(found -> {
            var run = found.orElseThrow(() -> ApiException.notFound("flow_run", ask.runId()));
            var json = run.toJson(ask.by());
            return run.status().isTerminal()
                    ? queries.log(tx, run.id()).map(log -> RecordedRun.ended(json, log))
                    : liveRuns.live(tx, run.id())
                            .compose(live ->
                                    liveRuns.lastPause(tx, run.id()).map(pause -> RecordedRun.live(json, pause, live)));
        }));
    }
}
