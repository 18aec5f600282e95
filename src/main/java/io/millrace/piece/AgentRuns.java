package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** How a step has an agent work for it (contract agents 3.3). Plugged in by the module of agents. */
public interface AgentRuns {
    /**
     * What a step wants of an agent.
     *
     * @param waitpointId completed with the result when the agent has ended; names the run, so that a step that is
     *     repeated after a crash starts no second one
     * @param input of the step
     */
    record Wanted(
            String projectId, String flowId, String flowRunId, String stepName, String waitpointId, ObjectNode input) {}

    /** Starts an agent run, durably. Fails with the reason why it cannot start. */
    Future<Void> start(Wanted wanted);
}
