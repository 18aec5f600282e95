package io.millrace.engine.run.ending;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RetryStrategy;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.LoggedTrigger;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.store.LiveRunStore;
import io.millrace.engine.run.store.RunAttemptStore;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.engine.run.store.RunQueryStore;
import io.millrace.piece.file.FileMessages;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries runs (contract flows-and-engine 5.6, 5.7). A live run, and one that has succeeded, have no failed step: they
 * are answered unchanged, so that retries are idempotent.
 */
public final class RunRetry implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(RunRetry.class);
    public static final String TRIGGERED = "run.triggered";
    public static final String PREPARED = "run.prepared";

    private static final long DEADLINE_MS = 30_000;

    /** Concurrency of bulk retries as the contract defines it. */
    private static final int AT_ONCE = 10;

    private final LongTexts texts;
    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final String nodeId;
    private final int retentionDays;
    private final InstantSource clock;
    private final LiveRunStore runs = new LiveRunStore();
    private final RunOwnerStore owners = new RunOwnerStore();
    private final RunQueryStore queries = new RunQueryStore();
    private final RunAttemptStore attempts = new RunAttemptStore();
    private final RunRetryStore store = new RunRetryStore();

    /** @param retentionDays time in days in which runs can be retried (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public RunRetry(
            Vertx vertx,
            Bus bus,
            Database database,
            RunShards shards,
            String nodeId,
            int retentionDays,
            InstantSource clock) {
        this.texts = new LongTexts(vertx);
        this.bus = bus;
        this.database = database;
        this.shards = shards;
        this.nodeId = nodeId;
        this.retentionDays = retentionDays;
        this.clock = clock;
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(RunCommands.Retry.class, this::retry);
        bus.serve(RunCommands.RetryAll.class, this::retryAll);
        bus.serveAt(
                TRIGGERED, RunTriggered.class, triggered -> database.read(tx -> store.keepTriggered(tx, triggered)));
        bus.serveAt(PREPARED, RunPrepared.class, prepared -> database.read(tx -> store.keepPrepared(tx, prepared)));
    }

    private Future<Run> retry(RunCommands.Retry ask) {
        return find(ask.runId())
                .map(run -> {
                    if (!run.projectId().equals(ask.projectId())) {
                        throw ApiException.notFound("flow_run", ask.runId());
                    }
                    return run;
                })
                .compose(run -> retry(run, ask.strategy(), ask.retriedBy()));
    }

    private Future<Run> retry(Run run, RetryStrategy strategy, String retriedBy) {
        if (isOutsideRetention(run)) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.FLOW_RUN_RETRY_OUTSIDE_RETENTION,
                    Json.object().put("flowRunId", run.id()).put("failedJobRetentionDays", retentionDays)));
        }
        return switch (strategy) {
            case FROM_FAILED_STEP -> fromFailedStep(run, retriedBy);
            case ON_LATEST_VERSION -> onLatestVersion(run, retriedBy);
        };
    }

    private boolean isOutsideRetention(Run run) {
        return run.status().isTerminal()
                && run.created().plus(Duration.ofDays(retentionDays)).isBefore(clock.instant());
    }

    private Future<List<RunCommands.RetryOutcome>> retryAll(RunCommands.RetryAll ask) {
        return retryFrom(ask, Optional.of(new PageRequest(PageRequest.LIMIT_MAX, null, false)), new ArrayList<>());
    }

    /** Page by page, newest first: new runs are before the first page, and a run whose status changes keeps its place. */
    private Future<List<RunCommands.RetryOutcome>> retryFrom(
            RunCommands.RetryAll ask, Optional<PageRequest> next, List<RunCommands.RetryOutcome> done) {
        return next.isEmpty()
                ? Future.succeededFuture(done)
                : database.read(tx -> queries.page(tx, ask.filter(), next.get()))
                        .compose(page -> retryPage(page.data(), ask, done)
                                .compose(_ -> retryFrom(
                                        ask,
                                        Optional.ofNullable(page.next())
                                                .flatMap(cursor -> PageRequest.parse(PageRequest.LIMIT_MAX, cursor)),
                                        done)));
    }

    private Future<Void> retryPage(List<Run> page, RunCommands.RetryAll ask, List<RunCommands.RetryOutcome> done) {
        var all = Future.<Void>succeededFuture();
        for (var from = 0; from < page.size(); from += AT_ONCE) {
            var some = page.subList(from, Math.min(from + AT_ONCE, page.size()));
            all = all.compose(_ -> retrySome(some, ask)).map(retried -> {
                done.addAll(retried);
                return null;
            });
        }
        return all;
    }

    /** A refusal of one run does not stop the retries of the others. */
    private Future<List<RunCommands.RetryOutcome>> retrySome(List<Run> some, RunCommands.RetryAll ask) {
        var retries = some.stream()
                .map(run -> retry(run, ask.strategy(), ask.retriedBy())
                        .map(retried -> new RunCommands.RetryOutcome(retried, null))
                        .recover(cause -> cause instanceof ApiException refusal
                                ? Future.succeededFuture(new RunCommands.RetryOutcome(run, refusal))
                                : Future.failedFuture(cause)))
                .toList();
        return Future.all(retries).map(all -> all.list());
    }

    private Future<Run> fromFailedStep(Run run, String retriedBy) {
        var reopenedAs = RunRow.on(run.status().ofRow(), RowEvent.Queueing.RETRIED);
        if (reopenedAs.isEmpty()) {
            return Future.succeededFuture(run);
        }
        return bus.ask(new Flows.GetVersion(run.flowVersionId()), DEADLINE_MS)
                .compose(_ -> database.read(tx -> store.left(tx, run.id())))
                .compose(left -> left.isEmpty()
                        ? Future.succeededFuture(Optional.<Run>empty())
                        : reopen(run, left.get(), reopenedAs.get(), retriedBy))
                .compose(reopened -> reopened.isPresent() ? announce(run).map(_ -> reopened.get()) : find(run.id()));
    }

    /** The queued run; empty when another caller has reopened it meanwhile. */
    private Future<Optional<Run>> reopen(Run run, RunRetryStore.FencedLog left, LiveStatus status, String retriedBy) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return read(run.id(), left.log(), steps -> RetryInput.of(run.id(), steps))
                .compose(reopened -> bus.ask(
                                new FileMessages.RequireSlices(run.projectId(), reopened.slices()), DEADLINE_MS)
                        .compose(_ -> database.inTransaction(tx -> store.reopen(
                                        tx, status, run.id(), left.fence(), now, nodeId, reopened, retriedBy)
                                .compose(done -> done
                                        ? queries.find(tx, run.id())
                                        : Future.succeededFuture(Optional.empty())))));
    }

    private Future<Void> announce(Run run) {
        return database.read(tx -> owners.find(tx, nodeId, run.id())).map(found -> {
            found.ifPresent(owned -> bus.tell(RunShards.adoptionAddress(shards.shardOf(run.id())), owned));
            bus.publish(new Runs.Retried(run.id(), run.projectId(), run.flowId()));
            return null;
        });
    }

    private Future<Run> onLatestVersion(Run run, String retriedBy) {
        var runId = Runs.nextId(clock.instant());
        return trigger(run)
                .compose(trigger -> bus.ask(new Flows.LatestLocked(run.flowId()), DEADLINE_MS)
                        .compose(version -> bus.ask(
                                shards.launchAddressOf(runId),
                                RunCommands.Launch.again(runId, run, version, trigger),
                                DEADLINE_MS)))
                .compose(this::find)
                .compose(retry -> record(run, retry, retriedBy).map(_ -> retry.asCreated()));
    }

    /** The new run has started: without this row only its link to the earlier one is missing (decision 0439). */
    private Future<Void> record(Run attempt, Run retry, String retriedBy) {
        return database.inTransaction(tx -> attempts.insert(tx, attempt, retry, retriedBy, retry.created()))
                .recover(failure -> {
                    LOG.warn(
                            "cannot store that run {} retries run {}: {}",
                            retry.id(),
                            attempt.id(),
                            failure.getMessage());
                    return Future.succeededFuture();
                });
    }

    private Future<LoggedTrigger> trigger(Run run) {
        return run.status().isTerminal()
                ? database.read(tx -> queries.log(tx, run.id()))
                        .compose(log -> read(run.id(), log, steps -> trigger(run.id(), steps)))
                : database.read(tx -> runs.live(tx, run.id()))
                        .map(live -> live.orElseThrow(() -> logMissing(run.id())))
                        .compose(stored -> texts.read(stored.bytes(), stored::read))
                        .map(left -> new LoggedTrigger(
                                left.payload(),
                                left.flags().executeTrigger(),
                                left.flags().unprepared()));
    }

    static LoggedTrigger trigger(String runId, JsonNode steps) {
        return LoggedTrigger.of(steps).orElseThrow(() -> logMissing(runId));
    }

    private <T> Future<T> read(String runId, Optional<Buffer> log, Function<JsonNode, T> read) {
        if (log.isEmpty()) {
            return Future.failedFuture(logMissing(runId));
        }
        var text = log.get();
        return texts.read(text.length(), () -> read.apply(RecordText.read(text.getBytes())));
    }

    private static ApiException logMissing(String runId) {
        return ApiException.of(ErrorCode.RESUME_LOGS_FILE_MISSING, Json.object().put("runId", runId));
    }

    private Future<Run> find(String runId) {
        return database.read(tx -> queries.find(tx, runId))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_run", runId)));
    }
}
