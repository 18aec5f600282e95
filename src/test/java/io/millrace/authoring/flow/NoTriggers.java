package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Triggers without hooks and sources. */
final class NoTriggers implements TriggerSwitch {
    @Override
    public Future<ActiveTrigger> enable(Turn turn) {
        return Future.succeededFuture(_ -> Future.succeededFuture());
    }

    @Override
    public Future<Void> disable(Turn turn) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> endSimulation(Flow flow) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> endSimulations(String projectId) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> remove(Tx tx, String flowId) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Map<String, JsonNode>> schedules(Tx tx, List<String> flowIds) {
        return Future.succeededFuture(Map.of());
    }
}
