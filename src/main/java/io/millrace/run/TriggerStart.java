package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.RunStart;
import io.millrace.piece.StepContext.StoreScope;
import io.vertx.core.Future;

/**
 * A run that starts, as its trigger sees it.
 *
 * @param payload output of the trigger
 */
record TriggerStart(StepServices services, RunWrite.Birth birth, JsonNode payload) implements RunStart {
    @Override
    public String runId() {
        return birth.id();
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return services.storePut(birth.projectId(), StoreKey.of(birth, scope, key), value);
    }
}
