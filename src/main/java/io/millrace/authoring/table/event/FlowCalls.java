package io.millrace.authoring.table.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** Calls of the webhooks of flows. Implemented by the webhook module. */
public interface FlowCalls {
    /**
     * Calls a flow, the same in effect as a POST to its webhook without waiting for the response. Completes when the
     * flow has accepted the call durably, or never will because it was deleted or disabled; fails when the call may be
     * retried.
     *
     * @param key the same for a call that is repeated: it starts no second run
     */
    Future<Void> call(String flowId, ObjectNode body, String key);
}
