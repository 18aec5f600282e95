package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Switches the trigger of a flow on and off (contract flows-and-engine 18.3, 18.4). Implemented by the trigger module.
 *
 * <p>Hooks call external systems and may be slow, so they run outside any transaction; their result is stored in the
 * transaction that changes the flow.
 */
public interface TriggerSwitch {
    /**
     * A version that is switched on or off.
     *
     * @param republish true if the same trigger with the same input continues in another version
     */
    record Turn(Flow flow, FlowVersion version, boolean republish) {}

    /** An active trigger whose source is not stored yet. */
    interface ActiveTrigger {
        /** Stores the trigger's source and replaces the flow's former one. */
        Future<Void> save(Tx tx);
    }

    /** Runs the enable hook; fails with TRIGGER_UPDATE_STATUS, and then the trigger is inactive. */
    Future<ActiveTrigger> enable(Turn turn);

    /** Runs the disable hook; fails with TRIGGER_UPDATE_STATUS when the hook fails. */
    Future<Void> disable(Turn turn);

    /** Ends the simulation that a flow may have for an editor; a failure of its disable hook is ignored (18.7). */
    Future<Void> endSimulation(Flow flow);

    /** Ends all simulations of a project, one after another. */
    Future<Void> endSimulations(String projectId);

    Future<Void> remove(Tx tx, String flowId);

    /** The schedules of the flows that have one, as {@code {type, cronExpression, timezone}}. */
    Future<Map<String, JsonNode>> schedules(Tx tx, List<String> flowIds);
}
