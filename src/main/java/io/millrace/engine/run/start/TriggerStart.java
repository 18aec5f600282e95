package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.step.StepServices;
import io.millrace.engine.run.step.StoreKey;
import io.millrace.piece.RunStart;
import io.millrace.piece.StepContext.StoreScope;
import io.vertx.core.Future;

record TriggerStart(StepServices services, RunWrite.RunHeader header, JsonNode payload) implements RunStart {
    @Override
    public String runId() {
        return header.id();
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        return services.storePut(header.projectId(), StoreKey.of(header, scope, key), value);
    }
}
