package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/** Arguments of a trigger's start hook for a run of its flow (contract flows-and-engine 6.3, 6.8). */
public interface RunStart {
    String runId();

    JsonNode payload();

    Future<Void> storePut(StepContext.StoreScope scope, String key, JsonNode value);
}
