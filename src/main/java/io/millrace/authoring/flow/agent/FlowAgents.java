package io.millrace.authoring.flow.agent;

import io.vertx.core.Future;
import java.util.Optional;

/** Lookup of agents for flows. Agents belong to a higher module, which implements this interface. */
@FunctionalInterface
public interface FlowAgents {
    /**
     * Reason why flows of a project cannot run an agent; empty when they can (contract agents 1.2). Fails with
     * FEATURE_DISABLED on a server without saved agents.
     */
    Future<Optional<String>> objection(String projectId, String externalId);
}
