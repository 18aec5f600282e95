package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.piece.FileFetcher;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One attempt of one step, as its action sees it. */
final class RunStepContext implements StepContext {
    private final RunHost host;
    private final RunActor run;
    private final RunWrite.Birth birth;
    private final CompiledFlow.CompiledStep step;
    private final String path;
    private final int attempt;
    private final List<Runnable> whenCancelled = new ArrayList<>(2);
    private ObjectNode props = Json.object();
    private HttpAnswer answer;
    private boolean stopped;
    private boolean cancelled;

    RunStepContext(
            RunHost host,
            RunActor run,
            RunWrite.Birth birth,
            CompiledFlow.CompiledStep step,
            String path,
            int attempt) {
        this.host = host;
        this.run = run;
        this.birth = birth;
        this.step = step;
        this.path = path;
        this.attempt = attempt;
    }

    void setProps(ObjectNode processed) {
        this.props = processed;
    }

    FileFetcher files() {
        return host.services().files();
    }

    /** What the step wants its caller to be told; null when nothing. */
    HttpAnswer answer() {
        return answer;
    }

    boolean stopped() {
        return stopped;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Nobody wants the result any more: what waits is woken up to stop. */
    void cancel() {
        cancelled = true;
        whenCancelled.forEach(Runnable::run);
        whenCancelled.clear();
    }

    void whenCancelled(Runnable action) {
        whenCancelled.add(action);
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public Optional<JsonNode> auth() {
        return Optional.ofNullable(props.get("auth"));
    }

    @Override
    public String projectId() {
        return birth.projectId();
    }

    @Override
    public String flowId() {
        return birth.flowId();
    }

    @Override
    public String flowVersionId() {
        return birth.flowVersionId();
    }

    @Override
    public String runId() {
        return birth.id();
    }

    @Override
    public String stepName() {
        return step.name();
    }

    @Override
    public boolean testing() {
        return birth.environment() == Environment.TESTING;
    }

    @Override
    public String idempotencyKey() {
        return birth.id() + ":" + path + ":" + attempt;
    }

    @Override
    public long remainingMs() {
        return run.timers().remainingMs();
    }

    @Override
    public void stop(HttpAnswer response) {
        answer = response;
        stopped = true;
    }

    @Override
    public void respond(HttpAnswer response) {
        answer = response;
        stopped = false;
    }

    @Override
    public void tag(String name) {
        run.tag(name.replace('\n', ' ').replace('\0', ' '));
    }

    @Override
    public Future<Void> sleep(long durationMs) {
        var promise = Promise.<Void>promise();
        var timer = run.timers().start(durationMs, promise::tryComplete);
        whenCancelled(() -> {
            run.timers().cancel(timer);
            promise.tryFail(PieceFailure.of("The run has ended"));
        });
        return promise.future();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return host.services().storeGet(birth.projectId(), composed(scope, key));
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return host.services().storePut(birth.projectId(), composed(scope, key), value);
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        return host.services().storeDelete(birth.projectId(), composed(scope, key));
    }

    /** Key of a stored value: scope, and apart from production for test runs (contract flows-and-engine 23). */
    private String composed(StoreScope scope, String key) {
        var scoped = switch (scope) {
            case COLLECTION -> key;
            case FLOW -> "flow_" + birth.flowId() + "/" + key;
            case RUN -> "flow_" + birth.flowId() + "/run_" + birth.id() + "/" + key;
        };
        return testing() ? "test" + scoped : scoped;
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return host.services().writeFile(birth.projectId(), birth.flowId(), step.name(), fileName, data);
    }
}
