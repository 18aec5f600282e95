package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.StepContext;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A step of a flow that sends one HTTP request: a context that remembers waits and files, and has nothing else. */
final class HttpStep implements StepContext {
    static final String KEY = "run-1/step_1";

    final List<Long> waits = new ArrayList<>();
    final List<String> fileNames = new ArrayList<>();
    final List<Buffer> files = new ArrayList<>();
    private final ObjectNode props;
    private long remainingMs = 10_000;

    private HttpStep(ObjectNode props) {
        this.props = props;
    }

    /** A step with the properties every step has. */
    static HttpStep calling(String method, String url) {
        var props = Json.object().put("method", method).put("url", url).put("authType", "NONE");
        props.putObject("headers");
        props.putObject("queryParams");
        props.putObject("authFields");
        return new HttpStep(props);
    }

    HttpStep with(String name, String value) {
        props.put(name, value);
        return this;
    }

    HttpStep with(String name, boolean value) {
        props.put(name, value);
        return this;
    }

    HttpStep with(String name, JsonNode value) {
        props.set(name, value);
        return this;
    }

    /** Sets properties from JSON text in which single quotes stand for double ones. */
    HttpStep withJson(String name, String json) {
        return with(name, Json.trusted(json.replace('\'', '"')));
    }

    HttpStep withBody(String type, String json) {
        with("body_type", type);
        props.putObject("body").set("data", Json.trusted(json.replace('\'', '"')));
        return this;
    }

    HttpStep remaining(long ms) {
        remainingMs = ms;
        return this;
    }

    @Override
    public void whenCancelled(Runnable action) {
        // Nothing is cancelled here.
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public Optional<JsonNode> auth() {
        return Optional.empty();
    }

    @Override
    public String projectId() {
        return "project";
    }

    @Override
    public String flowId() {
        return "flow";
    }

    @Override
    public String flowVersionId() {
        return "version";
    }

    @Override
    public String runId() {
        return "run-1";
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
        return KEY;
    }

    @Override
    public long remainingMs() {
        return remainingMs;
    }

    @Override
    public void stop(HttpAnswer answer) {
        throw new UnsupportedOperationException("an HTTP step stops no run");
    }

    @Override
    public void respond(HttpAnswer answer) {
        throw new UnsupportedOperationException("an HTTP step answers nobody");
    }

    @Override
    public void tag(String name) {
        throw new UnsupportedOperationException("an HTTP step tags nothing");
    }

    @Override
    public Future<Void> sleep(long durationMs) {
        waits.add(durationMs);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        throw new UnsupportedOperationException("an HTTP step stores nothing");
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        throw new UnsupportedOperationException("an HTTP step stores nothing");
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit) {
        throw new UnsupportedOperationException("an HTTP step stores nothing");
    }

    @Override
    public Future<JsonNode> connection(String externalId) {
        throw new UnsupportedOperationException("an HTTP step asks for no connection");
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        throw new UnsupportedOperationException("an HTTP step stores nothing");
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        fileNames.add(fileName);
        files.add(data);
        return Future.succeededFuture("https://files.test/" + files.size());
    }
}
