package io.millrace.authoring.flow.agent;

import io.vertx.core.Future;
import java.util.Optional;

/** What flows must know of the agents that their steps run. Agents live above: plugged in at start. */
@FunctionalInterface
public interface FlowAgents {
    /**
     * Why flows of a project cannot run an agent; empty when they can (contract agents 1.2). Fails with FEATURE_DISABLED
     * where nobody keeps agents.
     */
    Future<Optional<String>> objection(String projectId, String externalId);
}
