package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * A node as administrators see it.
 *
 * @param contact when it last told of itself
 * @param online whether its lease is running
 */
record WorkerMachine(
        String id, Instant started, Instant contact, boolean online, NodeDescription description, ObjectNode load) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(started))
                .put("updated", Json.timestamp(contact))
                .put("type", "SHARED")
                .put("status", online ? "ONLINE" : "OFFLINE");
        var information = json.putObject("information");
        information.setAll(load);
        information
                .put("ip", description.address())
                .put("version", description.release())
                .put("role", description.role());
        return json;
    }
}
