package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.LoggedTrigger;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.redecide.WalkExecutor;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.engine.run.store.RunQueryStore;
import io.millrace.engine.run.store.RunReplayStore;
import io.millrace.piece.file.FileMessages;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * Replays runs. A replay is a new run that this node owns from its insertion, with the recorded results of the earlier
 * one; its shard takes it up as it takes up a retried run.
 */
public final class ReplayService implements BusService {
    private static final long DEADLINE_MS = 30_000;

    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final String nodeId;
    private final int retentionDays;
    private final ReplayAudit audit;
    private final InstantSource clock;
    private final Redecider redecider;
    private final WalkExecutor walks;
    private final RecordedRuns recorded;
    private final ReadVersions versions;
    private final RunReplayStore store = new RunReplayStore();
    private final RunOwnerStore owners = new RunOwnerStore();
    private final RunQueryStore queries = new RunQueryStore();

    /**
     * Node that owns new replays.
     *
     * @param retentionDays time in days in which runs can be replayed (AP_EXECUTION_DATA_RETENTION_DAYS)
     */
    public record Owner(RunShards shards, String nodeId, int retentionDays, InstantSource clock) {}

    public ReplayService(
            Vertx vertx,
            Bus bus,
            Database database,
            Owner owner,
            RedecisionEngine engine,
            WalkExecutor walks,
            AuditLog auditLog) {
        this.walks = walks;
        this.vertx = vertx;
        this.bus = bus;
        this.database = database;
        this.shards = owner.shards();
        this.nodeId = owner.nodeId();
        this.retentionDays = owner.retentionDays();
        this.clock = owner.clock();
        this.audit = new ReplayAudit(auditLog);
        this.redecider = engine.redecider();
        this.recorded = new RecordedRuns(new LongTexts(vertx), database);
        this.versions = new ReadVersions(bus, engine.compiler());
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(Replays.Start.class, this::start);
        bus.serve(Replays.Rehearse.class, this::rehearse);
    }

    private record Preparation(
            Run run, RunRecording recording, ReadVersions.ReadVersion target, PreparedReplay replay) {}

    private Future<Preparation> prepare(String runId, Replays.Extent extent) {
        return recorded.find(runId)
                .map(this::checked)
                .compose(run -> recorded.recording(run)
                        .compose(recording -> versions.chosen(run.flowId(), run.flowVersionId(), extent.version())
                                .compose(targetId -> Future.all(
                                        versions.read(run.flowVersionId(), run.projectId()),
                                        versions.read(targetId, run.projectId())))
                                .compose(read -> decided(run, recording, read.resultAt(0), read.resultAt(1), extent))));
    }

    /** Walks on a worker thread: a run may have as many iterations as its log holds. */
    private Future<Preparation> decided(
            Run run,
            RunRecording recording,
            ReadVersions.ReadVersion original,
            ReadVersions.ReadVersion target,
            Replays.Extent extent) {
        return walks.execute(run.projectId(), WalkExecutor.Purpose.READING, () -> {
            var replay = PreparedReplay.of(redecider, recording, target, target.since(original), extent);
            return new Preparation(run, recording, target, replay);
        });
    }

    private Run checked(Run run) {
        if (run.stepNameToTest() != null) {
            throw ApiException.of(
                    ErrorCode.VALIDATION, "run " + run.id() + " tests a single step: expected a run of a whole flow");
        }
        if (run.status().isTerminal()
                && run.created().plus(Duration.ofDays(retentionDays)).isBefore(clock.instant())) {
            throw ApiException.of(
                    ErrorCode.FLOW_RUN_RETRY_OUTSIDE_RETENTION,
                    Json.object().put("flowRunId", run.id()).put("failedJobRetentionDays", retentionDays));
        }
        return run;
    }

    private Future<ObjectNode> rehearse(Replays.Rehearse ask) {
        return prepare(ask.runId(), ask.extent())
                .compose(ready -> vertx.executeBlocking(() -> EffectList.of(ready.target(), ready.replay()), false));
    }

    private Future<Run> start(Replays.Start ask) {
        return prepare(ask.runId(), ask.extent())
                .compose(ready -> bus.ask(
                                new FileMessages.RequireSlices(
                                        ready.run().projectId(), ready.replay().slices()),
                                DEADLINE_MS)
                        .compose(_ -> insert(ready, ask)));
    }

    private Future<Run> insert(Preparation ready, Replays.Start ask) {
        return vertx.executeBlocking(() -> newReplay(ready, ask.by().userIdOrNull()), false)
                .compose(replay -> insert(replay, ask));
    }

    private Future<Run> insert(RunReplayStore.NewReplay replay, Replays.Start ask) {
        var status = RunRow.on(null, RowEvent.Queueing.INGESTED).orElseThrow();
        var runId = replay.header().id();
        return database.inTransaction(tx -> store.insert(tx, status, nodeId, replay)
                        .compose(_ -> queries.find(tx, runId))
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_run", runId)))
                        .compose(run -> audit.started(tx, ask, run).map(run)))
                .compose(run -> database.read(tx -> owners.find(tx, nodeId, runId))
                        .map(found -> {
                            found.ifPresent(owned -> bus.tell(RunShards.adoptionAddress(shards.shardOf(runId)), owned));
                            bus.publish(new Runs.Announced(run.projectId(), runId));
                            return run;
                        }));
    }

    private RunReplayStore.NewReplay newReplay(Preparation ready, String triggeredBy) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var run = ready.run();
        var target = ready.target().version();
        var header = new RunWrite.RunHeader(
                Runs.nextId(now),
                now,
                run.projectId(),
                new RunWrite.RunHeader.FlowOfRun(run.flowId(), target.id()),
                run.environment(),
                now,
                new RunWrite.RunHeader.RunOrigin(null, false, null, triggeredBy, null),
                target.displayName());
        var output = LoggedTrigger.of(ready.recording().steps()).orElseThrow().output();
        var results = ready.replay().results().entrySet().stream()
                .map(ReplayService::result)
                .toList();
        return new RunReplayStore.NewReplay(
                header, run.id(), RecordText.of(ready.replay().spec().toJson()), RecordText.of(output), results);
    }

    private static RunWrite.StepResult result(Map.Entry<String, ObjectNode> entry) {
        return new RunWrite.StepResult(entry.getKey(), RecordText.of(entry.getValue()));
    }
}
