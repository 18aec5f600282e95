package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Context of a pure step during a walk: every request to the server is refused and noted. */
final class PureStepContext implements StepContext {
    private static final String WALK = "redecision";

    private final CompiledFlow flow;
    private final String stepName;
    private final ObjectNode props;
    private boolean stopped;
    private boolean refused;

    PureStepContext(CompiledFlow flow, String stepName, ObjectNode props) {
        this.flow = flow;
        this.stepName = stepName;
        this.props = props;
    }

    boolean stopped() {
        return stopped;
    }

    /** Returns whether the step requested something that a walk does not perform. */
    boolean wasRefused() {
        return refused;
    }

    private <T> Future<T> refuse() {
        refused = true;
        return Future.failedFuture(PieceFailure.of("A re-decision performs no request of a step"));
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
        return flow.projectId();
    }

    @Override
    public String flowId() {
        return flow.flowId();
    }

    @Override
    public String flowVersionId() {
        return flow.flowVersionId();
    }

    @Override
    public String runId() {
        return WALK;
    }

    @Override
    public String stepName() {
        return stepName;
    }

    @Override
    public boolean testing() {
        return false;
    }

    @Override
    public String idempotencyKey() {
        return WALK;
    }

    @Override
    public long remainingMs() {
        return Long.MAX_VALUE;
    }

    /** Ignored: a pure step ends at once. */
    @Override
    public void whenCancelled(Runnable action) {}

    @Override
    public void stop(HttpAnswer answer) {
        stopped = true;
    }

    @Override
    public void respond(HttpAnswer answer) {
        stopped = false;
    }

    /** Ignored: a walk has no tags. */
    @Override
    public void tag(String name) {}

    @Override
    public Future<Void> sleep(long durationMs) {
        return refuse();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return refuse();
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return refuse();
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        return refuse();
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit) {
        return refuse();
    }

    @Override
    public Future<JsonNode> connection(String externalId) {
        return refuse();
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return refuse();
    }
}
