package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.TriggerContext;
import io.millrace.run.CompiledFlow.Hook;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flow execution: one shard of the live runs, all on this verticle's event loop. A run belongs to the shard that its id
 * names ({@link RunShards}).
 */
public final class RunVerticle extends VerticleBase implements RunHost {
    private static final Logger LOG = LoggerFactory.getLogger(RunVerticle.class);

    /** Longest wait for one write; the writer itself retries for less. */
    private static final long WRITE_DEADLINE_MS = 60_000;

    /** Longest wait at a stop for runs to end; what lives longer is carried on by the next owner. */
    private static final long STOP_GRACE_MS = 10_000;

    /** A larger log would hold the event loop for more than a few milliseconds. */
    private static final long SERIALISED_IN_PLACE_BYTES_MAX = 512 * 1024;

    private static final long ADOPT_AGAIN_MS = 5_000;
    private static final long RELEASE_AGAIN_MS = 2_000;

    private final Bus bus;
    private final Config.Engine settings;
    private final int backlogMax;
    private final RunShards shards;
    private final int shard;
    private final String nodeId;
    private final CompiledFlows flows;
    private final StepRunner steps;
    private final StepServices services;
    private final InstantSource clock;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    private final Map<String, RunActor> runs = new HashMap<>();
    private Promise<Void> drained;

    /** Everything that the shards of a node share. */
    public record Parts(
            Bus bus,
            Config config,
            RunShards shards,
            String nodeId,
            io.millrace.piece.PieceCatalogue pieces,
            io.millrace.code.CodeCompiler compiler,
            io.millrace.code.CodeRunner code,
            StepServices services,
            InstantSource clock) {}

    public RunVerticle(Parts parts, int shard) {
        this.bus = parts.bus();
        this.settings = parts.config().engine();
        this.backlogMax = Math.max(
                1, parts.config().webhooks().backlogMax() / parts.shards().count());
        this.shards = parts.shards();
        this.shard = shard;
        this.nodeId = parts.nodeId();
        this.services = parts.services();
        this.clock = parts.clock();
        this.steps = new StepRunner(parts.code(), new InputTruncation(settings.inputTruncateBytes()));
        this.flows = new CompiledFlows(bus, new PlanCompiler(parts.pieces(), parts.compiler()));
    }

    @Override
    public Future<?> start() {
        bus.serveDesk(RunShards.desk(shard), Runs.Start.class, this::start);
        bus.on(RunShards.adoptionDesk(shard), this::adopt);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        if (runs.isEmpty()) {
            return Future.succeededFuture();
        }
        drained = Promise.promise();
        vertx.setTimer(STOP_GRACE_MS, _ -> drained.tryComplete());
        return drained.future();
    }

    private Future<Runs.Started> start(Runs.Start start) {
        if (drained != null) {
            return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "the server is stopping"));
        }
        if (runs.size() >= backlogMax) {
            return Future.failedFuture(ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many runs are waiting"));
        }
        return flows.of(start.flowVersionId(), start.versionUpdated(), start.projectId())
                .compose(flow -> items(flow, start)
                        .transform(items -> items.succeeded()
                                ? startItems(flow, start, items.result())
                                : startFailed(flow, start, items.cause())));
    }

    /** What the trigger makes of the payload; each item starts a run. */
    private Future<List<JsonNode>> items(CompiledFlow flow, Runs.Start start) {
        return switch (flow.trigger().hook()) {
            case Hook.Missing(var message) -> Future.failedFuture(io.millrace.piece.PieceFailure.of(message));
            case Hook.OfPiece hook -> {
                var scope = new RunScope(List.of(Json.object()), clock, random, Map.of());
                var input = hook.input().resolve(scope) instanceof ObjectNode object ? object : Json.object();
                yield bounded(hook.processor()
                        .apply(input, services.files())
                        .compose(props -> hook.trigger()
                                .run(new TriggerContext(start.projectId(), start.flowId(), props, start.payload()))));
            }
        };
    }

    /** A trigger may take so long and no longer; most are done already. */
    private <T> Future<T> bounded(Future<T> work) {
        return work.isComplete() ? work : work.timeout(settings.triggerTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private Future<Runs.Started> startItems(CompiledFlow flow, Runs.Start start, List<JsonNode> items) {
        if (items.isEmpty()) {
            return Future.succeededFuture(new Runs.Started.NoItem());
        }
        if (start.waiting()) {
            var promise = Promise.<Runs.Started>promise();
            begin(newRun(flow, start, start.runId(), items.getFirst(), new RunWaiter.ForAnswer(promise)));
            return promise.future();
        }
        var promises = new ArrayList<Promise<String>>();
        for (var item : items) {
            var promise = Promise.<String>promise();
            var id = promises.isEmpty() ? start.runId() : shards.nextRunId(shard);
            promises.add(promise);
            begin(newRun(flow, start, id, item, new RunWaiter.ForAcceptance(promise)));
        }
        return RunWaiter.allAccepted(promises);
    }

    /** A trigger that fails makes a run that has failed at its trigger (contract flows-and-engine 6.3). */
    private Future<Runs.Started> startFailed(CompiledFlow flow, Runs.Start start, Throwable cause) {
        var answer = Promise.<Runs.Started>promise();
        var acceptance = Promise.<String>promise();
        var waiter = start.waiting() ? new RunWaiter.ForAnswer(answer) : new RunWaiter.ForAcceptance(acceptance);
        var run = newRun(flow, start, start.runId(), start.payload(), waiter);
        runs.put(run.runId(), run);
        run.beginFailed(ErrorMessage.of(cause));
        return start.waiting() ? answer.future() : RunWaiter.allAccepted(List.of(acceptance));
    }

    private RunActor newRun(CompiledFlow flow, Runs.Start start, String id, JsonNode payload, RunWaiter waiter) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var birth = new RunWrite.Birth(
                id,
                now,
                start.projectId(),
                start.flowId(),
                start.flowVersionId(),
                start.environment(),
                now,
                start.parentRunId(),
                start.failParentOnFailure(),
                null,
                flow.flowName());
        return new RunActor(this, flow, birth, payload, waiter);
    }

    private void begin(RunActor run) {
        runs.put(run.runId(), run);
        run.begin();
    }

    /** Carries on a run that another owner left behind. */
    private void adopt(LiveRun left) {
        var birth = left.birth();
        flows.of(birth.flowVersionId(), null, birth.projectId())
                .onSuccess(flow -> carryOn(flow, left))
                .onFailure(cause -> giveUp(left, cause));
    }

    /** An actor of an earlier ownership may still wait for a step here: its writes are void, so it stops. */
    private void carryOn(CompiledFlow flow, LiveRun left) {
        var earlier = runs.get(left.birth().id());
        if (earlier != null && earlier.fence() >= left.fence()) {
            return;
        }
        if (earlier != null) {
            earlier.supersede();
        }
        begin(new RunActor(this, flow, left));
    }

    /** A run whose flow version is gone has failed; when the version cannot be read just now, it is tried again. */
    private void giveUp(LiveRun left, Throwable cause) {
        LOG.error("run {} cannot be carried on: {}", left.birth().id(), cause.getMessage());
        if (cause instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND) {
            endWithoutLog(left.birth(), left.fence(), RunStatus.FAILED, left.tags());
        } else {
            setTimer(ADOPT_AGAIN_MS, () -> adopt(left));
        }
    }

    private void endWithoutLog(RunWrite.Birth birth, long fence, RunStatus status, List<String> tags) {
        var ending = new RunWrite.Ending(status, clock.instant(), null, tags, 0, Buffer.buffer("{}"));
        write(new RunWrite.End(birth, fence, ending))
                .onFailure(cause -> LOG.error("run {} could not be ended", birth.id(), cause));
    }

    @Override
    public String nodeId() {
        return nodeId;
    }

    @Override
    public StepRunner steps() {
        return steps;
    }

    @Override
    public StepServices services() {
        return services;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public long flowTimeoutMs() {
        return settings.flowTimeout().toMillis();
    }

    @Override
    public long logBytesMax() {
        return settings.logBytesMax();
    }

    @Override
    public Future<Boolean> write(RunWrite write) {
        return bus.ask(RunService.WRITER, write, WRITE_DEADLINE_MS);
    }

    @Override
    public Future<Buffer> serialise(JsonNode log, long bytes) {
        return bytes <= SERIALISED_IN_PLACE_BYTES_MAX
                ? Future.succeededFuture(RecordText.of(log))
                : vertx.executeBlocking(() -> RecordText.of(log), false);
    }

    @Override
    public void later(Runnable action) {
        context.runOnContext(_ -> action.run());
    }

    @Override
    public long setTimer(long delayMs, Runnable action) {
        return vertx.setTimer(delayMs, _ -> action.run());
    }

    @Override
    public void cancelTimer(long timer) {
        vertx.cancelTimer(timer);
    }

    @Override
    public void ended(RunActor run, RunStatus status) {
        runs.remove(run.runId());
        bus.publish(
                new Runs.Ended(run.runId(), run.flow().projectId(), run.flow().flowId(), status));
        whenDrained();
    }

    @Override
    public void abandoned(RunActor run, Throwable cause) {
        runs.remove(run.runId(), run);
        if (isPassing(cause)) {
            release(new RunRelease(run.runId(), run.fence()));
        } else if (cause != null) {
            endWithoutLog(run.birth(), run.fence(), RunStatus.INTERNAL_ERROR, List.of());
        }
        whenDrained();
    }

    /** Whether the database may be able to save later what it could not save now. */
    private static boolean isPassing(Throwable cause) {
        return cause instanceof ApiException refused
                && (refused.code() == ErrorCode.UNAVAILABLE || refused.code() == ErrorCode.TOO_MANY_REQUESTS);
    }

    /** This node keeps its lease, so nobody else would look after the run: it is given away, as soon as that works. */
    private void release(RunRelease run) {
        bus.ask(RunService.RELEASE, run, WRITE_DEADLINE_MS).onFailure(cause -> {
            LOG.warn("run {} could not be given away yet: {}", run.runId(), cause.getMessage());
            setTimer(RELEASE_AGAIN_MS, () -> release(run));
        });
    }

    private void whenDrained() {
        if (drained != null && runs.isEmpty()) {
            drained.tryComplete();
        }
    }
}
