package io.millrace.authoring.flow.limit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Limits of a flow's runs set by its owner, in addition to the limit of the project (decision 0035).
 *
 * @param flow limit of the flow's own runs
 * @param connections limits by the external id of a connection, shared with the other flows of the project that limit it
 */
public record FlowLimit(Optional<RunLimit> flow, Map<String, RunLimit> connections) {
    private static final int CONNECTIONS_MAX = 10;

    static final FlowLimit NONE = new FlowLimit(Optional.empty(), Map.of());

    public FlowLimit {
        connections = Collections.unmodifiableMap(new TreeMap<>(connections));
    }

    static FlowLimit read(Fields body) {
        var flow = body.orNull().optionalObject("flow").map(_ -> RunLimit.read(body.inner("flow")));
        var connections = new TreeMap<String, RunLimit>();
        if (!body.isAbsent("connections")) {
            var given = body.array("connections");
            if (given.size() > CONNECTIONS_MAX) {
                body.refuse("connections", "Too big: expected array to have <=" + CONNECTIONS_MAX + " items");
            }
            for (var index = 0; index < Math.min(given.size(), CONNECTIONS_MAX); index++) {
                var one = body.element("connections", index, given.get(index));
                var externalId = one.text("externalId", 1, 255);
                if (connections.put(externalId, RunLimit.read(one)) != null) {
                    one.refuse("externalId", "Invalid input: expected each connection once");
                }
            }
        }
        return new FlowLimit(flow, connections);
    }

    static FlowLimit trusted(JsonNode json) {
        var connections = new TreeMap<String, RunLimit>();
        json.path("connections")
                .forEach(one -> connections.put(one.path("externalId").asText(), RunLimit.trusted(one)));
        return new FlowLimit(
                Optional.of(json.path("flow")).filter(JsonNode::isObject).map(RunLimit::trusted), connections);
    }

    ObjectNode toJson() {
        var json = Json.object();
        json.set("flow", flow.map(RunLimit::toJson).orElse(null));
        var list = json.putArray("connections");
        connections.forEach((externalId, limit) -> {
            var one = Json.object().put("externalId", externalId);
            list.add(one.setAll(limit.toJson()));
        });
        return json;
    }

    boolean isNone() {
        return flow.isEmpty() && connections.isEmpty();
    }
}
