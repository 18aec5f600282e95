package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.store.StoreEdit;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.expression.Secrets;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** One attempt of one step, in the view of its action. */
final class RunStepContext implements RunContext {
    private static final long PROGRESS_NANOS_MIN = 100_000_000;

    private final StepEnvironment environment;
    private final RunInbox inbox;
    private final StepDriver.RunParts run;
    private final RunWrite.RunHeader header;
    private final CompiledFlow.CompiledStep step;
    private final String path;
    private final int attempt;
    private final Consumer<JsonNode> watchers;
    private final StepFence fence;
    private final StepCancellation cancellation = new StepCancellation();
    private final StepLog log = new StepLog();
    private ObjectNode props = Json.object();
    private HttpAnswer answer;

    /** Null until the step creates a waitpoint or an address. */
    private CreatedWaitpoints created;

    private Optional<Waitpoint> waitpoint = Optional.empty();
    private boolean stopped;
    private long progressedNanos = System.nanoTime() - PROGRESS_NANOS_MIN;

    RunStepContext(
            StepEnvironment environment,
            RunInbox inbox,
            StepDriver.RunParts run,
            CompiledFlow.CompiledStep step,
            String path,
            int attempt,
            Consumer<JsonNode> watchers,
            StepFence fence) {
        this.environment = environment;
        this.inbox = inbox;
        this.run = run;
        this.header = run.recording().commits().header();
        this.step = step;
        this.path = path;
        this.attempt = attempt;
        this.watchers = watchers;
        this.fence = fence;
    }

    void setProps(ObjectNode processed) {
        this.props = processed;
    }

    boolean isStepTest() {
        return run.origin().flow().test() != null;
    }

    FileFetcher files() {
        return environment.services().files();
    }

    /** Wraps a request of a built-in action to the server that uses its own path, such as a call of another flow. */
    <T> Future<T> ours(Future<T> asked) {
        return inbox.ours(asked);
    }

    /** Fails when the step has been canceled. */
    Future<Secrets> secrets(Set<String> connectionNames, Set<String> variableNames) {
        return inbox.ours(environment.services().secrets(header.projectId(), connectionNames, variableNames))
                .map(loaded -> {
                    cancellation.refuseWhenCancelled();
                    var usable = step.work() instanceof CompiledFlow.Work.OfPiece piece
                            ? loaded.usedBy(piece.pieceName())
                            : loaded;
                    log.censor(usable);
                    return usable;
                });
    }

    /** Input of the step: the resolved one, unless the run replays another with an edited input. */
    ResolvedInput edited(ResolvedInput resolved) {
        return run.origin().replay() == null ? resolved : run.origin().replay().edited(path, resolved);
    }

    StepLog log() {
        return log;
    }

    StepCancellation cancellation() {
        return cancellation;
    }

    @Override
    public void wrote(String standardOutput, String standardError) {
        log.wrote(standardOutput, standardError);
    }

    @Override
    public void progressed(JsonNode soFar) {
        var now = System.nanoTime();
        if (!cancellation.isCancelled() && now - progressedNanos >= PROGRESS_NANOS_MIN) {
            progressedNanos = now;
            watchers.accept(soFar);
        }
    }

    /** Answer of the step to the run's caller, or null. */
    HttpAnswer answer() {
        return answer;
    }

    /** Waitpoint of the step; empty when it is done. */
    Optional<Waitpoint> waitpoint() {
        return waitpoint;
    }

    boolean stopped() {
        return stopped;
    }

    /** Returns whether a request of the step was refused, because another node may own the run. */
    boolean isFenced() {
        return fence.isLost();
    }

    @Override
    public Fence fence() {
        return fence;
    }

    @Override
    public void whenCancelled(Runnable action) {
        cancellation.whenCancelled(action);
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public RunWrite.RunHeader header() {
        return header;
    }

    @Override
    public String stepName() {
        return step.name();
    }

    @Override
    public boolean testing() {
        return header.environment() == RunEnvironment.TESTING;
    }

    @Override
    public String idempotencyKey() {
        var resume = run.resume(path);
        return header.id() + ":" + path + ":" + attempt + (resume == null ? "" : ":" + resume.waitpointId());
    }

    @Override
    public Optional<String> traceparent() {
        return run.trace().contextOf(idempotencyKey()).map(TraceContext::traceparent);
    }

    void ended(StepOutcome outcome, long durationMs) {
        if (run.trace().isOn()) {
            run.trace().ended(step, idempotencyKey(), attempt, outcome, waitpoint.isPresent(), durationMs);
        }
    }

    @Override
    public long remainingMs() {
        return run.timers().remainingMs();
    }

    @Override
    public void stop(HttpAnswer response) {
        answer = response;
        stopped = true;
        waitpoint = Optional.empty();
    }

    @Override
    public void respond(HttpAnswer response) {
        answer = response;
        stopped = false;
        waitpoint = Optional.empty();
    }

    @Override
    public void tag(String name) {
        run.recording().commits().tag(name.replace('\n', ' ').replace('\0', ' '));
    }

    @Override
    public Future<Void> sleep(long durationMs) {
        var promise = Promise.<Void>promise();
        var timer = run.timers().start(durationMs, promise::tryComplete);
        whenCancelled(() -> {
            run.timers().cancel(timer);
            promise.tryFail(StepCancellation.failure());
        });
        return promise.future();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return inbox.ours(environment.services().storeGet(header.projectId(), StoreKey.of(header, scope, key)));
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return inbox.ours(environment.services().storePut(header.projectId(), StoreKey.of(header, scope, key), value));
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        return inbox.ours(environment.services().storeDelete(header.projectId(), StoreKey.of(header, scope, key)));
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit) {
        var scoped = StoreKey.of(header, scope, key);
        return inbox.ours(
                environment.services().storeEdit(header.projectId(), scoped, idempotencyKey() + ":" + scoped, edit));
    }

    @Override
    public Future<JsonNode> connection(String externalId) {
        return secrets(Set.of(externalId), Set.of())
                .map(loaded -> loaded.connection(externalId))
                .onSuccess(_ -> tag("connection:" + externalId))
                .recover(cause -> Future.failedFuture(NamedFailure.of(cause)));
    }

    @Override
    public Optional<ObjectNode> resumePayload() {
        return Optional.ofNullable(run.resume(path)).map(RunSnapshot.Resume::payload);
    }

    @Override
    public Future<Waitpoint> createWaitpoint(Waitpoint.Request wanted) {
        return created().create(wanted, log);
    }

    @Override
    public void waitFor(Waitpoint made, Optional<HttpAnswer> meanwhile) {
        created().check(made);
        waitpoint = Optional.of(made);
        answer = meanwhile.orElse(null);
        stopped = false;
    }

    @Override
    public String resumeUrl(Map<String, String> query, boolean sync) {
        return created().resumeUrl(query, sync);
    }

    private CreatedWaitpoints created() {
        if (created == null) {
            created = new CreatedWaitpoints(environment.waitpoints(), inbox, run, step.name(), path);
        }
        return created;
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return inbox.ours(environment
                .services()
                .writeFile(header.projectId(), header.flow().flowId(), step.name(), fileName, data)
                .recover(RunStepContext::failedWithoutStorage));
    }

    /**
     * The step may have had its effect, and the storage may be unavailable for long: the step fails, and is not
     * retried.
     */
    private static <T> Future<T> failedWithoutStorage(Throwable cause) {
        return Future.failedFuture(
                ApiException.isStorageUnavailable(cause) ? PieceFailure.of(cause.getMessage()) : cause);
    }
}
