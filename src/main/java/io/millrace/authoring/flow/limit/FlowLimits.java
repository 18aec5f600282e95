package io.millrace.authoring.flow.limit;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;

/** Requests about the limits of flows, and notices of changes. Handled by {@link FlowLimitService}. */
public sealed interface FlowLimits {
    record Get(String flowId) implements FlowLimits, BusRequest<FlowLimit> {}

    /** Sets the limits of a flow in the place of those before. Fails with ENTITY_NOT_FOUND. */
    record Put(String flowId, FlowLimit limit) implements FlowLimits, BusRequest<FlowLimit> {}

    /** The limits that the runs of a flow keep to; none of a flow that is not there. */
    record FindInForce(String flowId) implements FlowLimits, BusRequest<InForce> {}

    /**
     * Limits in force.
     *
     * @param connections the strictest of all flows of the project, for each connection that this flow limits
     */
    record InForce(Optional<RunLimit> flow, List<OnConnection> connections) {}

    /** @param flowIds flows that share it */
    record OnConnection(String externalId, RunLimit limit, List<String> flowIds) {}

    /** Flows of a project have other limits: of one that shares a connection, the others too. */
    record Changed(String projectId) implements FlowLimits, Notice {}
}
