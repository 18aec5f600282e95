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
 * <p>Hooks reach the outside and take their time, so they run outside of any transaction; what they found out is saved in
 * the one that changes the flow.
 */
public interface TriggerSwitch {
    /**
     * A version that is switched on or off.
     *
     * @param republish true if the same trigger with the same input continues in another version
     */
    record Turn(Flow flow, FlowVersion version, boolean republish) {}

    /** A trigger that listens, but is not known to do so yet. */
    interface Armed {
        /** Saves the trigger's source in the place of the flow's former one. */
        Future<Void> save(Tx tx);
    }

    /** Runs the enable hook; fails with TRIGGER_UPDATE_STATUS, and then nothing listens. */
    Future<Armed> enable(Turn turn);

    /** Runs the disable hook; fails with TRIGGER_UPDATE_STATUS when the hook fails. */
    Future<Void> disable(Turn turn);

    /** Removes the source of a flow. */
    Future<Void> remove(Tx tx, String flowId);

    /** The schedules of the flows that have one, as {@code {type, cronExpression, timezone}}. */
    Future<Map<String, JsonNode>> schedules(Tx tx, List<String> flowIds);
}
