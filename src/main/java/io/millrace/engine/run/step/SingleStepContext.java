package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.net.Fence;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.millrace.piece.StepContext;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Context of an action without a flow: no waiting caller, and only the project's values. */
final class SingleStepContext implements StepContext {
    private static final String STEP_NAME = "step_1";

    private final SingleActions.Parameters request;
    private final String id = Ids.next();
    private final String key;
    private final ObjectNode props;
    private final StepServices services;
    private final long endsNanos;
    private final Fence fence;
    private final PieceLog log;

    /** @param key the same for every attempt that may repeat the same effect */
    SingleStepContext(
            SingleActions.Parameters request,
            String key,
            ObjectNode props,
            StepServices services,
            Duration timeout,
            Fence fence,
            PieceLog log) {
        this.request = request;
        this.key = key;
        this.props = props;
        this.services = services;
        this.fence = fence;
        this.log = log;
        this.endsNanos = System.nanoTime() + timeout.toNanos();
    }

    @Override
    public Fence fence() {
        return fence;
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public String projectId() {
        return request.projectId();
    }

    @Override
    public String flowId() {
        return id;
    }

    @Override
    public String flowVersionId() {
        return id;
    }

    @Override
    public String runId() {
        return id;
    }

    @Override
    public String stepName() {
        return STEP_NAME;
    }

    @Override
    public boolean testing() {
        return false;
    }

    @Override
    public String idempotencyKey() {
        return key + "/" + STEP_NAME;
    }

    @Override
    public long remainingMs() {
        return Math.max(0, (endsNanos - System.nanoTime()) / 1_000_000);
    }

    /** Never called: the action is not canceled, and ends by itself or by its timeout. */
    @Override
    public void whenCancelled(Runnable action) {}

    /** Ignored: there is no waiting caller. */
    @Override
    public void stop(HttpAnswer answer) {}

    /** Ignored: there is no waiting caller. */
    @Override
    public void respond(HttpAnswer answer) {}

    @Override
    public void wrote(String standardOutput, String standardError) {
        log.wrote(standardOutput, standardError);
    }

    /** Ignored: there is no run to tag. */
    @Override
    public void tag(String name) {}

    @Override
    public Future<Void> sleep(long durationMs) {
        return durationMs > remainingMs()
                ? Future.failedFuture(PieceFailure.of("The action exceeds its time limit"))
                : Vertx.currentContext().owner().timer(Math.max(1, durationMs)).mapEmpty();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return services.storeGet(request.projectId(), composed(scope, key));
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return services.storePut(request.projectId(), composed(scope, key), value);
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        return services.storeDelete(request.projectId(), composed(scope, key));
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit) {
        return services.storeEdit(request.projectId(), composed(scope, key), idempotencyKey() + "/" + key, edit);
    }

    private static String composed(StoreScope scope, String key) {
        if (scope != StoreScope.COLLECTION) {
            throw PieceFailure.of("A single action has no flow whose values it could store");
        }
        return key;
    }

    @Override
    public Future<JsonNode> connection(String externalId) {
        return services.secrets(request.projectId(), Set.of(externalId), Set.of())
                .map(loaded -> loaded.usedBy(request.pieceName()).connection(externalId))
                .recover(cause -> Future.failedFuture(NamedFailure.of(cause)));
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return services.writeFile(request.projectId(), id, STEP_NAME, fileName, data);
    }
}
