package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;
import java.util.Map;

/**
 * Description of a node for administrators.
 *
 * @param contact time of its last report
 * @param online true while its lease is valid
 */
record WorkerMachine(
        String id,
        Instant started,
        Instant contact,
        boolean online,
        @Unprefixed NodeDescription description,
        ObjectNode load) {
    /** Values for nodes of the previous release, and for nodes that have not reported their load yet. */
    private static final Map<String, JsonNode> MISSING = Map.of(
            "cpuUsagePercentage", IntNode.valueOf(0),
            "ramUsagePercentage", IntNode.valueOf(0),
            "totalAvailableRamInBytes", IntNode.valueOf(0),
            "totalCpuCores", IntNode.valueOf(0),
            "diskInfo", NodeDescription.disk(0, 0));

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
                .put("workerId", id)
                .put("ip", description.ip())
                .put("port", description.port())
                .put("version", description.release())
                .put("role", description.role());
        MISSING.forEach((name, value) -> {
            if (!information.has(name)) {
                information.set(name, value);
            }
        });
        information
                .putObject("workerProps")
                .put("version", description.release())
                .put("role", description.role());
        return json;
    }
}
