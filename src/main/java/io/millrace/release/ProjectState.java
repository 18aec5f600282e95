package io.millrace.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.connection.ConnectionState;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Fields;
import io.millrace.core.Json;
import io.millrace.flow.FlowState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/** What is carried from one project to another: its flows, and its connections by their names (contract admin-api 11). */
record ProjectState(List<FlowState> flows, List<ConnectionState> connections) {
    /** Flows and connections of one project, each. */
    private static final int ITEMS_MAX = 1_000;

    ProjectState {
        flows = List.copyOf(flows);
        connections = List.copyOf(connections);
        check("flows", flows, FlowState::externalId);
        check("connections", connections, ConnectionState::externalId);
    }

    private static <T> void check(String kind, List<T> items, Function<T, String> externalId) {
        if (items.size() > ITEMS_MAX) {
            throw ApiException.of(
                    ErrorCode.VALIDATION, "expected at most " + ITEMS_MAX + " " + kind + ", found " + items.size());
        }
        var known = new HashSet<String>();
        for (var item : items) {
            if (!known.add(externalId.apply(item))) {
                throw ApiException.of(
                        ErrorCode.VALIDATION,
                        "expected " + kind + " of different external ids, found " + externalId.apply(item) + " twice");
            }
        }
    }

    /** Tables are not kept by this release, so that there are none to carry. */
    ObjectNode toJson() {
        var json = Json.object();
        var flowList = json.putArray("flows");
        flows.forEach(flow -> flowList.add(flow.toJson()));
        var connectionList = json.putArray("connections");
        connections.forEach(connection -> connectionList.add(connection.toJson()));
        json.putArray("tables");
        return json;
    }

    /** Reads what {@link #toJson} has written, perhaps in an earlier release of this server. */
    static ProjectState stored(JsonNode json) {
        var flows = new ArrayList<FlowState>();
        for (var flow : json.path("flows")) {
            flows.add(FlowState.read((ObjectNode) flow, "flows/" + flows.size()));
        }
        var connections = new ArrayList<ConnectionState>();
        for (var connection : json.path("connections")) {
            var fields = Fields.of("connections/" + connections.size(), connection);
            connections.add(ConnectionState.read(fields));
            fields.done();
        }
        return new ProjectState(flows, connections);
    }
}
