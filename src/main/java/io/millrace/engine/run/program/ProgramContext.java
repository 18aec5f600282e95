package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunWrite;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.input.FileValue;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Context of a pure step in a program: any request to the server needs the general engine. */
final class ProgramContext implements StepContext, FileFetcher {
    private final RunWrite.RunHeader header;
    private final String stepName;
    private ObjectNode props = Json.object();
    private @Nullable HttpAnswer answer;
    private boolean stopped;
    private boolean unusual;

    ProgramContext(RunWrite.RunHeader header, String stepName) {
        this.header = header;
        this.stepName = stepName;
    }

    void setProps(ObjectNode processed) {
        this.props = processed;
    }

    @Nullable
    HttpAnswer answer() {
        return answer;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Returns whether the step requested something that a program does not provide. */
    boolean isUnusual() {
        return unusual;
    }

    private <T> Future<T> refuse() {
        unusual = true;
        return Future.failedFuture(PieceFailure.of("expected no request of a pure step"));
    }

    @Override
    public Future<Optional<FileValue>> fetch(String url) {
        return refuse();
    }

    @Override
    public void requireAllowed(FileValue held) {
        unusual = true;
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
        return header.projectId();
    }

    @Override
    public String flowId() {
        return header.flowId();
    }

    @Override
    public String flowVersionId() {
        return header.flowVersionId();
    }

    @Override
    public String runId() {
        return header.id();
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
        return header.id() + ":" + stepName + ":1";
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
    public void tag(String name) {
        unusual = true;
    }

    @Override
    public void wrote(String standardOutput, String standardError) {
        unusual = true;
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
