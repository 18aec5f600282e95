package io.millrace.integration.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.row.Unprefixed;
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
        @Unprefixed OutcomeRun run,
        Optional<String> flowName) {
    record OutcomeRun(
            String runId,
            String flowId,
            String flowVersionId,
            String environment,
            String status,
            Optional<Instant> startTime,
            Optional<Instant> finishTime,
            Optional<String> triggeredBy) {}

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
        var json = Json.object()
                .put("id", run.runId())
                .put("startTime", run.startTime().map(Json::timestamp).orElse(null))
                .put("finishTime", run.finishTime().map(Json::timestamp).orElse(null))
                .put("environment", run.environment())
                .put("flowId", run.flowId())
                .put("flowVersionId", run.flowVersionId())
                .put("status", run.status());
        run.startTime()
                .flatMap(start ->
                        run.finishTime().map(end -> Duration.between(start, end).toMillis()))
                .ifPresent(duration -> json.put("duration", duration));
        run.triggeredBy().ifPresent(by -> json.put("triggeredBy", by));
        flowName.ifPresent(name -> json.put("flowDisplayName", name));
        return json;
    }
}
