package io.millrace.authoring.flow.limit;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;

/** Requests about the limits of flows, and notices of changes. Handled by {@link FlowLimitService}. */
public sealed interface FlowLimits {
    record Get(String flowId) implements FlowLimits, BusRequest<FlowLimit> {}

    /** Replaces the limits of a flow. Fails with ENTITY_NOT_FOUND. */
    record Put(String flowId, FlowLimit limit) implements FlowLimits, BusRequest<FlowLimit> {}

    /** Effective limits of a flow's runs; none for a missing flow. */
    record FindInForce(String flowId) implements FlowLimits, BusRequest<InForce> {}

    /**
     * Effective limits.
     *
     * @param connections the strictest of all flows of the project, for each connection that this flow limits
     */
    record InForce(Optional<RunLimit> flow, List<OnConnection> connections) {}

    /** @param flowIds flows that share it */
    record OnConnection(String externalId, RunLimit limit, List<String> flowIds) {}

    /**
     * Limits of flows in a project have changed. A limit on a shared connection affects the other flows that use it.
     */
    record Changed(String projectId) implements FlowLimits, Notice {}
}
