package io.millrace.support.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In-memory context of a step: sleeps end immediately, responses and stored values can be inspected. */
public class FakeStepContext implements StepContext {
    private final ObjectNode props;
    private final Map<String, JsonNode> store;
    private ObjectNode resumePayload;

    /** Time left for the run; a test may change it. */
    public long remainingMs = 600_000;

    public final List<Long> sleeps = new ArrayList<>();
    public final List<String> tags = new ArrayList<>();
    public final List<String> files = new ArrayList<>();
    public final Map<String, Buffer> written = new HashMap<>();
    public HttpAnswer stoppedWith;
    public HttpAnswer respondedWith;
    public Waitpoint.Request wanted;
    public Waitpoint waitsFor;

    protected FakeStepContext(ObjectNode props, Map<String, JsonNode> store) {
        this.props = props;
        this.store = store;
    }

    /** A step with this input, written as JSON; single quotes are replaced by double ones. */
    public static FakeStepContext with(String props) {
        return new FakeStepContext((ObjectNode) Json.trusted(props.replace('\'', '"')), new HashMap<>());
    }

    /** A step with this input. */
    public static FakeStepContext with(ObjectNode props) {
        return new FakeStepContext(props, new HashMap<>());
    }

    /** Another step of the same project with another input: stored values are shared. */
    public FakeStepContext next(String props) {
        return new FakeStepContext((ObjectNode) Json.trusted(props.replace('\'', '"')), store);
    }

    /** The same step, executed again with the event that it waited for. */
    public FakeStepContext resumed(String payload) {
        var again = new FakeStepContext(props, store);
        again.resumePayload = (ObjectNode) Json.trusted(payload.replace('\'', '"'));
        return again;
    }

    /** Stored values, by scope and key. */
    public Map<String, JsonNode> store() {
        return store;
    }

    @Override
    public void whenCancelled(Runnable action) {
        // Nothing is canceled here.
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
        return "project00000000000000";
    }

    @Override
    public String flowId() {
        return "flow00000000000000000";
    }

    @Override
    public String flowVersionId() {
        return "version00000000000000";
    }

    @Override
    public String runId() {
        return "run000000000000000000";
    }

    @Override
    public String stepName() {
        return "step_1";
    }

    @Override
    public boolean testing() {
        return false;
    }

    @Override
    public String idempotencyKey() {
        return runId() + ":" + stepName();
    }

    @Override
    public long remainingMs() {
        return remainingMs;
    }

    @Override
    public void stop(HttpAnswer answer) {
        stoppedWith = answer;
    }

    @Override
    public void respond(HttpAnswer answer) {
        respondedWith = answer;
    }

    @Override
    public void tag(String name) {
        tags.add(name);
    }

    @Override
    public Future<Void> sleep(long durationMs) {
        sleeps.add(durationMs);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return Future.succeededFuture(Optional.ofNullable(store.get(scope + "/" + key)));
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        store.put(scope + "/" + key, value);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        store.remove(scope + "/" + key);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit) {
        try {
            var edited = edit.apply(Optional.ofNullable(store.get(scope + "/" + key)));
            if (edited.value() == null) {
                store.remove(scope + "/" + key);
            } else {
                store.put(scope + "/" + key, edited.value());
            }
            return Future.succeededFuture(Optional.ofNullable(edited.answer()));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** Every project of this context has one connection, called "known". */
    @Override
    public Future<JsonNode> connection(String externalId) {
        return externalId.equals("known")
                ? Future.succeededFuture(
                        Json.object().put("type", "SECRET_TEXT").put("secret_text", "s3cret"))
                : Future.failedFuture(PieceFailure.named("ConnectionNotFound", "not found"));
    }

    @Override
    public Optional<ObjectNode> resumePayload() {
        return Optional.ofNullable(resumePayload);
    }

    @Override
    public Future<Waitpoint> createWaitpoint(Waitpoint.Request waitpoint) {
        wanted = waitpoint;
        return Future.succeededFuture(new Waitpoint("w1", "https://mill.example/w1"));
    }

    @Override
    public void waitFor(Waitpoint waitpoint, Optional<HttpAnswer> answer) {
        waitsFor = waitpoint;
        respondedWith = answer.orElse(null);
    }

    @Override
    public String resumeUrl(Map<String, String> query, boolean sync) {
        return Waitpoint.url("https://mill.example/any", query, sync);
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        files.add(fileName);
        written.put(fileName, data);
        return Future.succeededFuture("https://files.example/" + fileName);
    }
}
