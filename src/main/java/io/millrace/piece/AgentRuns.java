package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** Runs agents on behalf of steps (contract agents 3.3). Implemented by the agents module. */
public interface AgentRuns {
    /**
     * Request of a step for an agent run.
     *
     * @param waitpointId completed with the result when the agent has ended; names the run, so that a step that is
     *     repeated after a crash starts no second one
     * @param input of the step
     */
    record StepRequest(
            String projectId, String flowId, String flowRunId, String stepName, String waitpointId, ObjectNode input) {}

    /** Starts an agent run, durably. Fails with the reason why it cannot start. */
    Future<Void> start(StepRequest wanted);
}
