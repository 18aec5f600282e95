package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.Fence;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;

/** What a running step offers its action (contract flows-and-engine 6.8). Implemented by the run module. */
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

    /** Resolved value of the step's connection. */
    Optional<JsonNode> auth();

    String projectId();

    String flowId();

    String flowVersionId();

    String runId();

    String stepName();

    /** Whether this is a run of the TESTING environment. */
    boolean testing();

    /**
     * The same text for every attempt that may repeat the same effect: run id and step path. Empty attempts differ
     * from retries: a retry on failure is a new effect and has a new key.
     */
    String idempotencyKey();

    /** The header by which others are told which trace the step belongs to; empty where no traces are recorded. */
    default Optional<String> traceparent() {
        return Optional.empty();
    }

    /**
     * Permission to send to the outside, checked when a connection is open and before each request leaves. A refused
     * step's outcome does not count: the run is carried on by the node that owns it.
     */
    default Fence fence() {
        return Fence.OPEN;
    }

    /** Milliseconds that the run may still take. */
    long remainingMs();

    /** Runs an action when nobody wants the step's result any more. */
    void whenCancelled(Runnable action);

    /** Ends the run SUCCEEDED after this step; the response goes to the waiting caller. */
    void stop(HttpAnswer answer);

    /** Answers the waiting caller; the run goes on. */
    void respond(HttpAnswer answer);

    /** Tags the run. */
    void tag(String name);

    /**
     * Keeps what the action's code wrote to its console, in the log of the step; the secrets that the step was given are
     * hidden in it. An action that runs outside a run has no log.
     */
    default void wrote(String standardOutput, String standardError) {}

    /**
     * Shows what the step has so far to those who watch its run (contract pieces 4.1); kept nowhere. Nobody watches an
     * action that runs outside a run.
     */
    default void progressed(JsonNode soFar) {}

    /** Completes after so many milliseconds; fails when the run ends before. */
    Future<Void> sleep(long durationMs);

    /** Reads a stored value; empty when there is none. */
    Future<Optional<JsonNode>> storeGet(StoreScope scope, String key);

    /** Writes a stored value. Fails with a PieceFailure when the key or the value is too large. */
    Future<Void> storePut(StoreScope scope, String key, JsonNode value);

    /** Removes a stored value; nothing happens when there is none. */
    Future<Void> storeDelete(StoreScope scope, String key);

    /**
     * Changes a stored value, all in one: what other runs write meanwhile is not lost. A step that is repeated after a
     * crash is told what it was told first, and changes nothing. Fails as {@link #storePut}, and with what the edit
     * throws.
     *
     * @return what the edit answers; empty for nothing
     */
    Future<Optional<JsonNode>> storeEdit(StoreScope scope, String key, StoreEdit edit);

    /**
     * Value of a connection of the project, which the run is tagged with (contract pieces 4.1); fails with a
     * PieceFailure when there is none of that name, or none that works.
     */
    Future<JsonNode> connection(String externalId);

    /** Stores a file of this step; answers the URL under which it can be read. */
    Future<String> writeFile(String fileName, Buffer data);

    /**
     * What completed the waitpoint that this step waited for: {@code {body, headers, queryParams}}. Empty when the step
     * has not waited yet (executionType BEGIN).
     */
    default Optional<ObjectNode> resumePayload() {
        return Optional.empty();
    }

    /**
     * Makes a waitpoint that is durable when the future completes, so that it may be completed before the step waits
     * for it. A step that is repeated gets the one it had made. Only a run can wait: elsewhere it fails (pieces 4.2).
     */
    default Future<Waitpoint> createWaitpoint(Waitpoint.Wanted wanted) {
        return Future.failedFuture(PieceFailure.of("A step can wait only within a run of its flow"));
    }

    /**
     * Pauses the run after this step, whose output is provisional: the step is executed again when the waitpoint has
     * been completed.
     *
     * @param answer what the waiting caller is told meanwhile; empty for nothing
     */
    default void waitFor(Waitpoint waitpoint, Optional<HttpAnswer> answer) {
        throw PieceFailure.of("A step can wait only within a run of its flow");
    }

    /**
     * An address that completes whatever {@link Waitpoint.Version#V0} waitpoint the run is at when it is called.
     *
     * @param sync whether the caller waits for the run's answer
     */
    default String resumeUrl(Map<String, String> query, boolean sync) {
        throw PieceFailure.of("A step can wait only within a run of its flow");
    }
}
