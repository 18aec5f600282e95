package io.millrace.integration.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.workspace.connection.ConnectionState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/**
 * State that a release transfers: flows, connections by their names, and definitions of tables (contract admin-api 11).
 *
 * @param tables empty leaves the tables unchanged: states of earlier releases have none
 */
record ProjectState(List<FlowState> flows, List<ConnectionState> connections, List<TableState> tables) {
    /** Flows, connections and tables of one project, each. */
    private static final int ITEMS_MAX = 1_000;

    ProjectState {
        flows = List.copyOf(flows);
        connections = List.copyOf(connections);
        tables = List.copyOf(tables);
        check("tables", tables, TableState::externalId);
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

    ObjectNode toJson() {
        var json = Json.object();
        var flowList = json.putArray("flows");
        flows.forEach(flow -> flowList.add(flow.toJson()));
        var connectionList = json.putArray("connections");
        connections.forEach(connection -> connectionList.add(connection.toJson()));
        var tableList = json.putArray("tables");
        tables.forEach(table -> tableList.add(table.toJson()));
        return json;
    }

    /** Reads the output of {@link #toJson}, also that of earlier releases of this server. */
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
        var tables = new ArrayList<TableState>();
        for (var table : json.path("tables")) {
            var fields = Fields.of("tables/" + tables.size(), table);
            tables.add(TableState.read(fields));
            fields.done();
        }
        return new ProjectState(flows, connections, tables);
    }
}
