package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.input.FileFetcher;
import io.millrace.sandbox.expression.Secrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.Set;

/**
 * Services for hooks and steps: stored values, files, connections and variables. Implemented by the modules that own the
 * data.
 */
public interface HookServices {
    Future<Optional<JsonNode>> storeGet(String projectId, String key);

    /** Fails with a PieceFailure when key or value is too large. */
    Future<Void> storePut(String projectId, String key, JsonNode value);

    Future<Void> storeDelete(String projectId, String key);

    /** Returns the URL from which the file can be read. */
    Future<String> writeFile(String projectId, String flowId, String stepName, String fileName, Buffer data);

    /**
     * Loads what an input names: connections with fresh tokens, and variables. An unusable connection does not fail this call;
     * the resolution of the input fails.
     */
    Future<Secrets> secrets(String projectId, Set<String> connectionNames, Set<String> variableNames);

    FileFetcher files();
}
