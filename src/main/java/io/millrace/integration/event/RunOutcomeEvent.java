package io.millrace.integration.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Event of a run, with the names at that time (contract admin-api 21).
 *
 * @param flowName empty when the version was deleted
 */
record RunOutcomeEvent(
        String id,
        Instant created,
        String action,
        String platformId,
        String projectId,
        String projectName,
        String runId,
        String flowId,
        String flowVersionId,
        Optional<String> flowName,
        String environment,
        String status,
        Optional<Instant> startTime,
        Optional<Instant> finishTime,
        Optional<String> triggeredBy) {
    /** The envelope as receivers read it. */
    ObjectNode toJson() {
        var at = Json.timestamp(created);
        var body = Json.object()
                .put("id", id)
                .put("created", at)
                .put("updated", at)
                .put("platformId", platformId)
                .put("projectId", projectId)
                .put("projectDisplayName", projectName)
                .put("action", action);
        var data = body.putObject("data");
        data.set("flowRun", flowRun());
        data.putObject("project").put("displayName", projectName);
        return body;
    }

    private ObjectNode flowRun() {
        var run = Json.object()
                .put("id", runId)
                .put("startTime", startTime.map(Json::timestamp).orElse(null))
                .put("finishTime", finishTime.map(Json::timestamp).orElse(null))
                .put("environment", environment)
                .put("flowId", flowId)
                .put("flowVersionId", flowVersionId)
                .put("status", status);
        startTime
                .flatMap(start ->
                        finishTime.map(end -> Duration.between(start, end).toMillis()))
                .ifPresent(duration -> run.put("duration", duration));
        triggeredBy.ifPresent(by -> run.put("triggeredBy", by));
        flowName.ifPresent(name -> run.put("flowDisplayName", name));
        return run;
    }
}
