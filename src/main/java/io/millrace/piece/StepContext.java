package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.Fence;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;

/**
 * Services of the run for the action of a running step (contract flows-and-engine 6.8). Implemented by the run module.
 */
public interface StepContext {
    /** Scope of a stored value (contract flows-and-engine 23). */
    enum StoreScope {
        /** The whole project. */
        COLLECTION,
        FLOW,
        RUN
    }

    /** The input after expressions, property processing and validation. */
    ObjectNode props();

    default Optional<JsonNode> auth() {
        return Optional.ofNullable(props().get("auth"));
    }

    String projectId();

    String flowId();

    String flowVersionId();

    String runId();

    String stepName();

    boolean testing();

    /**
     * Idempotency key of the step's effects, from run id and step path. Equal for all attempts of the same effect; a
     * retry on failure is a new effect with a new key.
     */
    String idempotencyKey();

    /** Trace context header for outgoing requests of the step; empty where no traces are recorded. */
    default Optional<String> traceparent() {
        return Optional.empty();
    }

    /**
     * Permission for external requests, checked when a connection is open and before each request is sent. After a
     * rejection the step's outcome is discarded, because another node owns the run.
     */
    default Fence fence() {
        return Fence.OPEN;
    }

    /** Remaining run time in milliseconds. */
    long remainingMs();

    void whenCancelled(Runnable action);

    /** Ends the run SUCCEEDED after this step and sends the response to the waiting caller. */
    void stop(HttpAnswer answer);

    /** Sends the response to the waiting caller; the run continues. */
    void respond(HttpAnswer answer);

    void tag(String name);

    /** Records console output of the action's code in the step's log, with the step's secrets masked. */
    default void wrote(String standardOutput, String standardError) {}

    /**
     * Publishes an intermediate result to subscribers of the run (contract pieces 4.1). It is not stored. An action
     * outside a run has no subscribers.
     */
    default void progressed(JsonNode soFar) {}

    /** Completes after a delay; fails when the run ends first. */
    Future<Void> sleep(long durationMs);

    Future<Optional<JsonNode>> storeGet(StoreScope scope, String key);

    /** Fails with a PieceFailure when the key or the value is too large. */
    Future<Void> storePut(StoreScope scope, String key, JsonNode value);

    /** No effect when the value does not exist. */
    Future<Void> storeDelete(StoreScope scope, String key);

    /**
     * Changes a stored value atomically with respect to other runs. When a step is repeated after a crash, it gets the
     * first answer again and changes nothing. Fails as {@link #storePut}, and with the exception of the edit.
     *
     * @return answer of the edit; empty for none
     */
    Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit);

    /**
     * Value of a connection of the project; the run is tagged with the connection (contract pieces 4.1). Fails with a
     * PieceFailure when there is no usable connection of this name.
     */
    Future<JsonNode> connection(String externalId);

    /** Returns the download URL of the file. */
    Future<String> writeFile(String fileName, Buffer data);

    /**
     * Payload that completed this step's waitpoint: {@code {body, headers, queryParams}}. Empty when the step has not
     * waited yet (executionType BEGIN).
     */
    default Optional<ObjectNode> resumePayload() {
        return Optional.empty();
    }

    /**
     * Creates a waitpoint. It is durable when the future completes, so it may be completed before the step waits for
     * it. A repeated step gets the waitpoint of its first attempt. Fails outside a run (pieces 4.2).
     */
    default Future<Waitpoint> createWaitpoint(Waitpoint.Request wanted) {
        return Future.failedFuture(PieceFailure.of("A step can wait only within a run of its flow"));
    }

    /**
     * Pauses the run after this step, whose output is provisional: the step is executed again when the waitpoint has
     * been completed.
     *
     * @param answer interim response to the waiting caller; empty for none
     */
    default void waitFor(Waitpoint waitpoint, Optional<HttpAnswer> answer) {
        throw PieceFailure.of("A step can wait only within a run of its flow");
    }

    /**
     * Address that completes the {@link Waitpoint.Version#V0} waitpoint at which the run is paused at the time of the
     * call.
     *
     * @param sync true if the caller waits for the run's answer
     */
    default String resumeUrl(Map<String, String> query, boolean sync) {
        throw PieceFailure.of("A step can wait only within a run of its flow");
    }
}
