package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.FileFetcher;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** What steps reach beside their input: stored values and files. Plugged in by the rooms that keep them. */
public interface StepServices {
    /** Reads a stored value of a project; empty when there is none. */
    Future<Optional<JsonNode>> storeGet(String projectId, String key);

    /** Writes a stored value; fails with a PieceFailure when key or value is too large. */
    Future<Void> storePut(String projectId, String key, JsonNode value);

    Future<Void> storeDelete(String projectId, String key);

    /** Keeps a file of a step; answers the URL under which it can be read. */
    Future<String> writeFile(String projectId, String flowId, String stepName, String fileName, Buffer data);

    /** Reads files that a step's input names by URL. */
    FileFetcher files();
}
