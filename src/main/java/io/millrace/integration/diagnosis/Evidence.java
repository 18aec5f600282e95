package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * Source of a statement.
 *
 * @param kind of the resource
 * @param api its address in the API; null for a setting, which has none
 * @param console its page in the console
 * @param at time of the change or of the end
 */
record Evidence(String kind, String id, @Nullable String api, String console, Instant at) {
    static Evidence run(String projectId, String runId, Instant at) {
        return new Evidence(
                "run", runId, "/api/v1/flow-runs/" + runId, "/projects/" + projectId + "/runs/" + runId, at);
    }

    static Evidence step(String projectId, String runId, String path, Instant at) {
        return new Evidence(
                "step", path, "/api/v1/flow-runs/" + runId, "/projects/" + projectId + "/runs/" + runId, at);
    }

    static Evidence version(String projectId, String flowId, String versionId, Instant at) {
        return new Evidence(
                "flowVersion",
                versionId,
                "/api/v1/flows/" + flowId + "?versionId=" + versionId,
                "/projects/" + projectId + "/flows/" + flowId,
                at);
    }

    static Evidence connection(String projectId, String id, Instant at) {
        return new Evidence(
                "connection", id, "/api/v1/app-connections/" + id, "/projects/" + projectId + "/connections", at);
    }

    static Evidence variable(String projectId, String id, Instant at) {
        return new Evidence("variable", id, "/api/v1/variables/" + id, "/projects/" + projectId + "/connections", at);
    }

    static Evidence setting(String name, Instant at) {
        return new Evidence("setting", name, null, "/platform/insight", at);
    }

    static Evidence issue(String projectId, String flowId, String id, Instant at) {
        return new Evidence(
                "issue", id, "/api/v1/issues/" + id, "/projects/" + projectId + "/runs?view=causes&flow=" + flowId, at);
    }

    ObjectNode toJson() {
        return Json.object()
                .put("kind", kind)
                .put("id", id)
                .put("api", api)
                .put("console", console)
                .put("at", Json.timestamp(at));
    }
}
