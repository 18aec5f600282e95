package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** What a running step offers its action (contract flows-and-engine 6.8). Implemented by the run room. */
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

    /** Milliseconds that the run may still take. */
    long remainingMs();

    /** Ends the run SUCCEEDED after this step; the response goes to the waiting caller. */
    void stop(HttpAnswer answer);

    /** Answers the waiting caller; the run goes on. */
    void respond(HttpAnswer answer);

    /** Tags the run. */
    void tag(String name);

    /** Completes after so many milliseconds; fails when the run ends before. */
    Future<Void> sleep(long durationMs);

    /** Reads a stored value; empty when there is none. */
    Future<Optional<JsonNode>> storeGet(StoreScope scope, String key);

    /** Writes a stored value. Fails with a PieceFailure when the key or the value is too large. */
    Future<Void> storePut(StoreScope scope, String key, JsonNode value);

    /** Removes a stored value; nothing happens when there is none. */
    Future<Void> storeDelete(StoreScope scope, String key);

    /** Stores a file of this step; answers the URL under which it can be read. */
    Future<String> writeFile(String fileName, Buffer data);
}
