package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunActor;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlows;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.program.PureRuns;
import io.millrace.engine.run.start.TriggerFailure.Hook;
import io.millrace.engine.run.start.TriggerRunner.FirstItem;
import io.millrace.piece.PieceLog;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Creates the new runs of a shard: the payload passes the flow's trigger, and each item becomes a run. The path of a
 * webhook from the shard's address to the first transition of its run reads top to bottom here: the flow
 * ({@link CompiledFlows}), its trigger ({@link TriggerRunner}), and the run itself ({@link RunActor}).
 */
public final class RunStarter {
    private final Bus bus;
    private final RunHost host;
    private final CompiledFlows flows;
    private final StepTests stepTests;
    private final TriggerRunner triggers;
    private final RunRegistry registry;
    private final KeyedRuns keyedRuns;
    private final PureRuns programs;
    private final Supplier<String> nextRunId;

    /** @param nextRunId fresh ids that belong to the shard */
    public RunStarter(
            Bus bus,
            RunHost host,
            CompiledFlows flows,
            StepTests stepTests,
            TriggerRunner triggers,
            RunRegistry registry,
            KeyedRuns keyedRuns,
            PureRuns programs,
            Supplier<String> nextRunId) {
        this.bus = bus;
        this.host = host;
        this.flows = flows;
        this.stepTests = stepTests;
        this.triggers = triggers;
        this.registry = registry;
        this.keyedRuns = keyedRuns;
        this.programs = programs;
        this.nextRunId = nextRunId;
    }

    /**
     * Executes the trigger before the key lookup: a caller that the trigger rejects must not receive the result of
     * another caller.
     */
    public Future<Runs.StartResult> start(Runs.Start start) {
        var log = new PieceLog();
        return flow(start.flow().versionId(), start.flow().versionUpdated(), start.projectId())
                .compose(flow -> triggers.items(flow, start.environment(), start.payload(), log)
                        .transform(items -> start(flow, start, items, log)));
    }

    private Future<Runs.StartResult> start(
            CompiledFlow flow, Runs.Start start, AsyncResult<List<JsonNode>> items, PieceLog log) {
        if (items.succeeded() && items.result().isEmpty()) {
            return Future.succeededFuture(
                    new Runs.StartResult.NoItem(flow.trigger().refusesCallers()));
        }
        if (ApiException.isUnavailable(items.cause())) {
            return Future.failedFuture(items.cause());
        }
        var key = StartKey.of(flow, start, host.clock().clock(), host.clock().random());
        if (key.isPresent()) {
            return keyedRuns.start(flow, start, key.get(), keyedItems(start, items, log));
        }
        if (items.failed()) {
            return startFailed(flow, start, items.cause(), log);
        }
        return isProgrammable(items.result(), log)
                ? programs.start(flow, start, items.result().getFirst())
                        .orElseGet(() -> startItems(flow, start, items.result(), log))
                : startItems(flow, start, items.result(), log);
    }

    private static boolean isProgrammable(List<JsonNode> items, PieceLog log) {
        return items.size() == 1 && !DedupeKey.isIn(items.getFirst()) && log.isEmpty();
    }

    private static List<FirstItem> keyedItems(Runs.Start start, AsyncResult<List<JsonNode>> items, PieceLog log) {
        if (items.failed()) {
            return List.of(new FirstItem(start.payload(), TriggerFailure.of(Hook.RUN, items.cause()), log));
        }
        var wanted = start.waiting() ? items.result().subList(0, 1) : items.result();
        return wanted.stream()
                .map(item -> new FirstItem(DedupeKey.removedFrom(item), null, log))
                .toList();
    }

    private Future<CompiledFlow> flow(String versionId, Instant versionUpdated, String projectId) {
        if (registry.isClosing()) {
            return RunRegistry.refusal();
        }
        if (registry.isFullFor(projectId) || host.storage().memory().isFullForNew()) {
            return Future.failedFuture(ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many runs are waiting"));
        }
        return flows.of(versionId, versionUpdated, projectId);
    }

    /**
     * A waiting caller is served regardless of duplicates: its run is created before its item is deduplicated (contract
     * 17.8).
     */
    private Future<Runs.StartResult> startItems(
            CompiledFlow flow, Runs.Start start, List<JsonNode> items, PieceLog log) {
        if (start.waiting()) {
            var answer = Promise.<Runs.StartResult>promise();
            var item = DedupeKey.removedFrom(items.getFirst());
            begin(newRun(flow, start, start.runId(), item, new StartListener.ForAnswer(answer), log), item);
            return answer.future();
        }
        var accepted = new ArrayList<Future<String>>();
        for (var item : items) {
            var id = accepted.isEmpty() ? start.runId() : nextRunId.get();
            accepted.add(DedupeKey.isIn(item) ? ingest(flow, start, id, item) : startItem(flow, start, id, item, log));
        }
        return allAccepted(accepted);
    }

    private Future<String> startItem(CompiledFlow flow, Runs.Start start, String id, JsonNode item, PieceLog log) {
        var acceptance = Promise.<String>promise();
        begin(newRun(flow, start, id, item, new StartListener.ForAcceptance(acceptance), log), item);
        return acceptance.future();
    }

    /**
     * The key is claimed in the transaction that saves the run; the run begins when that is durable (decision 0319).
     * Its next owner has the trigger prepare it, so that nothing is prepared for a dropped item.
     */
    private Future<String> ingest(CompiledFlow flow, Runs.Start start, String id, JsonNode keyed) {
        var item = DedupeKey.removedFrom(keyed);
        var header = start.header(id, host.clock().now(), flow.flowName()).startedAt(null);
        return host.storage()
                .writer()
                .serialise(item, JsonSize.of(item))
                .compose(payload -> bus.ask(
                        new IngestRequest(new IngestedRun(header, DedupeKey.of(header, keyed), payload)),
                        RunWrite.DEADLINE_MS))
                .map(id);
    }

    private static Future<Runs.StartResult> allAccepted(List<Future<String>> accepted) {
        return Future.all(accepted).map(ids -> new Runs.StartResult.Accepted(ids.list()));
    }

    /** From here on the machine decides about the run. */
    private void begin(RunActor run, JsonNode item) {
        registry.add(run);
        triggers.prepare(run, item);
    }

    /** A trigger that fails makes a run that has failed at its trigger (contract flows-and-engine 6.3, decision 0319). */
    private Future<Runs.StartResult> startFailed(CompiledFlow flow, Runs.Start start, Throwable cause, PieceLog log) {
        var answer = Promise.<Runs.StartResult>promise();
        var acceptance = Promise.<String>promise();
        var waiter =
                start.waiting() ? new StartListener.ForAnswer(answer) : new StartListener.ForAcceptance(acceptance);
        fail(newRun(flow, start, start.runId(), start.payload(), waiter, log), cause);
        return start.waiting() ? answer.future() : allAccepted(List.of(acceptance.future()));
    }

    private void fail(RunActor run, Throwable cause) {
        registry.add(run);
        run.accept(TriggerFailure.of(Hook.RUN, cause).event());
    }

    private RunActor newRun(
            CompiledFlow flow, Runs.Start start, String id, JsonNode payload, StartListener waiter, PieceLog log) {
        var run = new RunActor(host, flow, start.header(id, host.clock().now(), flow.flowName()), payload, waiter);
        run.logTrigger(StepConsole.of(log));
        return run;
    }

    public Future<String> launch(RunCommands.Launch launch) {
        return flow(launch.version().id(), launch.version().updated(), launch.projectId())
                .compose(flow -> stepTests.alone(flow, launch.mode().stepToTest()))
                .compose(flow -> firstItem(flow, launch).compose(item -> launch(flow, launch, item)));
    }

    private Future<FirstItem> firstItem(CompiledFlow flow, RunCommands.Launch launch) {
        return launch.mode().executeTrigger()
                ? triggers.firstItem(flow, launch.mode().environment(), launch.payload())
                : Future.succeededFuture(FirstItem.of(launch.payload()));
    }

    private Future<String> launch(CompiledFlow flow, RunCommands.Launch launch, FirstItem item) {
        if (launch.idempotencyKey() != null) {
            return keyedRuns.launch(flow, launch, item);
        }
        var acceptance = Promise.<String>promise();
        var waiter = new StartListener.ForAcceptance(acceptance);
        var run = new RunActor(host, flow, launch.header(host.clock().now(), flow.flowName()), item.payload(), waiter);
        item.logIn(run);
        if (item.hasFailed()) {
            registry.add(run);
            run.accept(item.event());
        } else {
            begin(run, item.payload());
        }
        return acceptance.future();
    }
}
