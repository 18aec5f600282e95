package io.millrace.piece.model;

import java.util.Optional;

/**
 * Flow and saved agent that a model request is charged to, besides the project.
 *
 * @param flowId empty for a request outside of flows
 * @param agentId empty for a request without a saved agent
 */
public record ModelSpender(Optional<String> flowId, Optional<String> agentId) {
    public static final ModelSpender NONE = new ModelSpender(Optional.empty(), Optional.empty());

    public static ModelSpender ofFlow(String flowId) {
        return new ModelSpender(Optional.of(flowId), Optional.empty());
    }
}
