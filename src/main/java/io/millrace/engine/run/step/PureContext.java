package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Context of a pure step outside the general engine: every request to the server is refused and noted. */
public abstract class PureContext implements StepContext {
    private final String stepName;
    private ObjectNode props;
    private @Nullable HttpAnswer answer;
    private boolean stopped;
    private boolean refused;

    protected PureContext(String stepName, ObjectNode props) {
        this.stepName = stepName;
        this.props = props;
    }

    public final void setProps(ObjectNode processed) {
        this.props = processed;
    }

    /** Returns the answer of the step to the caller; null without one. */
    public final @Nullable HttpAnswer answer() {
        return answer;
    }

    public final boolean isStopped() {
        return stopped;
    }

    /** Returns whether the step requested something that only the general engine provides. */
    public final boolean isRefused() {
        return refused;
    }

    protected final <T> Future<T> refuse() {
        refused = true;
        return Future.failedFuture(PieceFailure.of("A pure step makes no request to the server"));
    }

    @Override
    public ObjectNode props() {
        return props;
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
    public long remainingMs() {
        return Long.MAX_VALUE;
    }

    /** Ignored: a pure step ends at once. */
    @Override
    public void whenCancelled(Runnable action) {}

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
