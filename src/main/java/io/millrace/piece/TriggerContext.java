package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.StepContext.StoreScope;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * Services and input for a trigger's hooks (contract flows-and-engine 6.8, pieces 4.1). Implemented by the trigger
 * module.
 */
public interface TriggerContext {
    /** The input after expressions, property processing and validation. */
    ObjectNode props();

    default Optional<JsonNode> auth() {
        return Optional.ofNullable(props().get("auth"));
    }

    /**
     * Incoming payload: {@code {method, headers, queryParams, body, rawBody?}} for a webhook; otherwise an empty
     * object.
     */
    JsonNode payload();

    String projectId();

    String flowId();

    String flowVersionId();

    String webhookUrl();

    /**
     * Returns whether the previously enabled version had the same trigger with the same input, so that its state may be
     * kept.
     */
    boolean isRepublish();

    /** Returns whether this is a test; tests have separate stored values. */
    boolean testing();

    /** Sets the polling schedule; effective only in {@code onEnable} of a POLLING trigger. */
    void setSchedule(CronSchedule schedule);

    /** Subscribes to events of the app; effective only in {@code onEnable} of an APP_WEBHOOK trigger. */
    void createListeners(List<String> events, String identifierValue);

    /**
     * Records console output of the trigger's code, and warnings about values that the trigger or the flow did not receive.
     *
     * @param warnings lines for the author
     */
    default void wrote(String standardOutput, String standardError, List<String> warnings) {}

    /** Triggers have no scope RUN. */
    Future<Optional<JsonNode>> storeGet(StoreScope scope, String key);

    /**
     * Writes a stored value. Writes of a poll are committed atomically with the runs that it starts. Fails with a
     * PieceFailure when the key or the value is too large.
     */
    Future<Void> storePut(StoreScope scope, String key, JsonNode value);

    /** No effect when the value does not exist. */
    Future<Void> storeDelete(StoreScope scope, String key);

    /** Returns the download URL of the file. */
    Future<String> writeFile(String fileName, Buffer data);
}
