package io.millrace.engine.run.start;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunActor;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.start.StartKeys.First;
import io.millrace.engine.run.start.StartKeys.StartClaim;
import io.millrace.engine.run.start.TriggerFailure.Hook;
import io.millrace.engine.run.start.TriggerRunner.FirstItem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Starts runs of a shard under an idempotency key (decision 0033): the first start creates runs, a repeated start
 * receives the result of the first. These runs are written before they begin, in one commit with their key.
 */
public final class KeyedRuns {
    /** Margin after the caller's own deadline, so that the caller times out first. */
    private static final long ALLOWANCE_MS = 5_000;

    private final Bus bus;
    private final RunHost host;
    private final TriggerRunner triggers;
    private final RunRegistry registry;
    private final long callerTimeoutMs;
    private final Supplier<String> nextRunId;

    /**
     * @param callerTimeoutMs longest wait of a caller (AP_WEBHOOK_TIMEOUT_SECONDS)
     * @param nextRunId fresh ids that belong to the shard
     */
    public KeyedRuns(
            Bus bus,
            RunHost host,
            TriggerRunner triggers,
            RunRegistry registry,
            long callerTimeoutMs,
            Supplier<String> nextRunId) {
        this.bus = bus;
        this.host = host;
        this.triggers = triggers;
        this.registry = registry;
        this.callerTimeoutMs = callerTimeoutMs;
        this.nextRunId = nextRunId;
    }

    private record KeyedStart(RunWrite.RunHeader header, FirstItem item) {}

    /**
     * Starts one run for each item.
     *
     * @param items at least one; exactly one when the caller waits
     */
    Future<Runs.StartResult> start(CompiledFlow flow, Runs.Start start, StartKey key, List<FirstItem> items) {
        var wanted = new ArrayList<KeyedStart>();
        for (var item : items) {
            var id = wanted.isEmpty() ? start.runId() : nextRunId.get();
            wanted.add(new KeyedStart(start.header(id, host.clock().now(), flow.flowName()), item));
        }
        return start(flow, key, start.call().id(), wanted, start.waiting());
    }

    /** Starts one run whose trigger has been executed, or returns the first one that was started under the key. */
    Future<String> launch(CompiledFlow flow, RunCommands.Launch launch, FirstItem item) {
        var key = new StartKey(launch.flowId(), launch.mode().environment(), launch.idempotencyKey());
        var wanted = new KeyedStart(launch.header(host.clock().now(), flow.flowName()), item);
        return start(flow, key, null, List.of(wanted), false).map(KeyedRuns::runOf);
    }

    private static String runOf(Runs.StartResult started) {
        return switch (started) {
            case Runs.StartResult.Repeated(var _, var first) -> runOf(first);
            case Runs.StartResult.Accepted(var runIds) -> runIds.getFirst();
            case Runs.StartResult.Answered _,
                    Runs.StartResult.Failed _,
                    Runs.StartResult.Silent _,
                    Runs.StartResult.NoItem _ ->
                throw new IllegalStateException("expected a start without a caller, found " + started);
        };
    }

    /**
     * Looks up the key before the claim, so that the trigger prepares nothing for a repeated start. Prepares before the
     * claim, because a take-over after a crash assumes a prepared run.
     */
    private Future<Runs.StartResult> start(
            CompiledFlow flow, StartKey key, String callId, List<KeyedStart> wanted, boolean waiting) {
        return bus.ask(new StartKeys.Find(key), StartKeyService.DEADLINE_MS)
                .compose(found -> found.isPresent()
                        ? repeated(key, found.get(), waiting)
                        : prepared(flow, wanted)
                                .compose(ready -> claim(key, callId, ready).compose(claimed -> switch (claimed) {
                                    case StartClaim.Ours _ -> begin(flow, ready, waiting);
                                    case StartClaim.Duplicate(var first) -> repeated(key, first, waiting);
                                })));
    }

    private Future<List<KeyedStart>> prepared(CompiledFlow flow, List<KeyedStart> wanted) {
        return Future.all(wanted.stream().map(each -> prepared(flow, each)).toList())
                .map(all -> all.<KeyedStart>list());
    }

    /** A step that is tested alone has no trigger. */
    private Future<KeyedStart> prepared(CompiledFlow flow, KeyedStart wanted) {
        var payload = wanted.item().payload();
        if (flow.test() != null || wanted.item().hasFailed()) {
            return Future.succeededFuture(wanted);
        }
        return triggers.prepare(flow, wanted.header(), payload)
                .map(wanted)
                .recover(cause -> TriggerRunner.failedItem(
                                payload, Hook.START, cause, wanted.item().log())
                        .map(failed -> new KeyedStart(wanted.header(), failed)));
    }

    private Future<StartClaim> claim(StartKey key, String callId, List<KeyedStart> wanted) {
        var texts = wanted.stream()
                .map(each -> host.storage()
                        .writer()
                        .serialise(
                                each.item().payload(), JsonSize.of(each.item().payload())))
                .toList();
        return Future.all(texts).compose(_ -> {
            var runs = new ArrayList<StartKeys.NewRun>();
            for (var i = 0; i < wanted.size(); i++) {
                var item = wanted.get(i).item();
                var failedHook = item.hasFailed() ? item.failure().hook() : null;
                runs.add(new StartKeys.NewRun(
                        wanted.get(i).header(), texts.get(i).result(), failedHook));
            }
            return bus.ask(new StartKeys.Claim(key, callId, runs), StartKeyService.DEADLINE_MS);
        });
    }

    private Future<Runs.StartResult> begin(CompiledFlow flow, List<KeyedStart> wanted, boolean waiting) {
        var answer = Promise.<Runs.StartResult>promise();
        for (var each : wanted) {
            var waiter = waiting ? new StartListener.ForAnswer(answer) : StartListener.nobody();
            var left = RunSnapshot.claimed(each.header(), each.item().payload());
            var run = new RunActor(host, flow, left, waiter);
            each.item().logIn(run);
            registry.add(run);
            run.accept(each.item().event());
        }
        return waiting
                ? answer.future()
                : Future.succeededFuture(new Runs.StartResult.Accepted(
                        wanted.stream().map(each -> each.header().id()).toList()));
    }

    /** A waiting caller receives the result of the first start, also when the first caller did not wait. */
    private Future<Runs.StartResult> repeated(StartKey key, First first, boolean waiting) {
        if (!waiting) {
            var accepted = new Runs.StartResult.Accepted(List.of(first.runId()));
            return Future.succeededFuture(new Runs.StartResult.Repeated(first.callId(), accepted));
        }
        return first.outcome()
                .map(Future::succeededFuture)
                .orElseGet(() -> outcome(key, first))
                .map(outcome -> new Runs.StartResult.Repeated(first.callId(), outcome));
    }

    private Future<Runs.StartResult> outcome(StartKey key, First first) {
        return bus.ask(new StartKeys.Await(key, callerTimeoutMs), callerTimeoutMs + ALLOWANCE_MS)
                .map(found ->
                        found.flatMap(First::outcome).orElseGet(() -> new Runs.StartResult.Silent(first.runId())));
    }
}
