package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentState;
import java.time.Instant;
import java.util.List;

/**
 * A row of an agent run (contract agents 2.3).
 *
 * @param userId user on whose behalf the agent acts, or null
 * @param agentId the saved agent, or null
 * @param flowName current name of the flow, or null
 * @param flowRunId the flow run that waits for the result, or null
 * @param waitpointId the waitpoint that is completed with the result, or null
 * @param result null until the run has ended
 * @param aiCredits AI credits of the platform that the run has used, or null
 */
record AgentRun(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String projectId,
        String userId,
        String agentId,
        String flowId,
        String flowName,
        String flowRunId,
        String waitpointId,
        String title,
        String modelName,
        AgentState state,
        ObjectNode result,
        Double aiCredits) {
    /** Record of a turn: the answer of the model, or the result of one of its calls. */
    record Entry(int turn, int call, ObjectNode content) {
        /** Instead of a call: the answer of the model. */
        static final int ANSWER = -1;
    }

    /**
     * A run that a node has claimed.
     *
     * @param crashes servers that crashed while they owned the run, since its last new record
     * @param records its records, or the first of them; those that are missing follow no further turn
     */
    record ClaimedRun(AgentRun run, AgentWork work, long fence, int crashes, Records records) {}

    /**
     * Records of a run, up to a limit.
     *
     * @param bytes size of all its records as JSON, including those beyond the limit
     */
    record Records(List<Entry> entries, long bytes, boolean isComplete) {
        static final Records NONE = new Records(List.of(), 0, true);
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("projectId", projectId)
                .put("agentId", agentId)
                .put("flowRunId", flowRunId)
                .put("aiCredits", aiCredits)
                .put("title", title)
                .put("modelName", modelName)
                .put("status", status());
        if (flowRunId == null) {
            json.putNull("flow");
        } else {
            json.putObject("flow")
                    .put("flowRunId", flowRunId)
                    .put("flowId", flowId)
                    .put("displayName", flowName);
        }
        return json;
    }

    private String status() {
        return switch (state) {
            case AgentState.Finished finished -> finished.ending().failsStep() ? "ERROR" : "IDLE";
            case AgentState.Accepted _, AgentState.Asking _, AgentState.Calling _ -> "STREAMING";
        };
    }
}
