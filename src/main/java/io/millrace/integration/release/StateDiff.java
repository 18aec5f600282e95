package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.integration.release.ReleaseApplier.ProjectSnapshot;
import io.millrace.workspace.connection.ConnectionScope;
import io.millrace.workspace.connection.ConnectionState;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Changes that turn a project into a state (contract admin-api 11). Pure. Flows and connections are matched by their external
 * ids, and so are tables; a connection is never deleted, and an existing one keeps its value. A state without tables deletes
 * none: its source may not support tables.
 */
record StateDiff(List<FlowChange> flows, List<ConnectionChange> connections, List<TableChange> tables) {
    /** Change of a flow. Clients select a part of the plan by its id. */
    sealed interface FlowChange {
        String id();

        record Delete(FlowState current) implements FlowChange {
            @Override
            public String id() {
                return current.id();
            }
        }

        record Create(FlowState source) implements FlowChange {
            @Override
            public String id() {
                return source.id();
            }
        }

        /** @param result new flow, with its status after publication */
        record Update(FlowState current, FlowState source, FlowState result) implements FlowChange {
            @Override
            public String id() {
                return current.id();
            }
        }
    }

    sealed interface ConnectionChange {
        record Create(ConnectionState state) implements ConnectionChange {}

        record Rename(StoredConnection current, ConnectionState wanted) implements ConnectionChange {}
    }

    sealed interface TableChange {
        record Delete(TableState current) implements TableChange {}

        record Create(TableState state) implements TableChange {}

        record Update(TableState current, TableState wanted) implements TableChange {}
    }

    /**
     * Compares.
     *
     * @throws ApiException VALIDATION when a connection is of another piece here
     */
    static StateDiff of(ProjectSnapshot snapshot, ProjectState wanted) {
        refuseMismatches(snapshot, wanted);
        return new StateDiff(
                flows(snapshot.flows(), wanted.flows(), StateDiff::carried),
                connections(snapshot.connections(), wanted.connections()),
                tables(snapshot.tables(), wanted.tables(), !wanted.tables().isEmpty()));
    }

    /**
     * Compares with a complete state: it determines the connections of steps and the status of published flows, and tables that
     * it does not name are deleted.
     *
     * @throws ApiException VALIDATION when a connection is of another piece here
     */
    static StateDiff exact(ProjectSnapshot snapshot, ProjectState wanted) {
        refuseMismatches(snapshot, wanted);
        return new StateDiff(
                flows(snapshot.flows(), wanted.flows(), StateDiff::asWritten),
                connections(snapshot.connections(), wanted.connections()),
                tables(snapshot.tables(), wanted.tables(), true));
    }

    private static Optional<FlowState> carried(FlowState source, FlowState target) {
        return Optional.of(source.appliedTo(target).published(target.status()))
                .filter(result -> !result.hasContentOf(target));
    }

    private static Optional<FlowState> asWritten(FlowState source, FlowState target) {
        return Optional.of(source).filter(result -> !result.isFulfilledBy(target));
    }

    private static void refuseMismatches(ProjectSnapshot snapshot, ProjectState wanted) {
        var held = snapshot.connections();
        mismatches(held, wanted.connections()).stream().findFirst().ifPresent(mismatch -> {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "expected the connection " + mismatch.wanted().externalId() + " to be of the piece "
                            + mismatch.wanted().pieceName() + ", found it to be of "
                            + mismatch.current().state().pieceName());
        });
    }

    /** @param resultOf new content of an existing flow; empty if it is unchanged */
    private static List<FlowChange> flows(
            List<FlowState> snapshot,
            List<FlowState> wanted,
            BiFunction<FlowState, FlowState, Optional<FlowState>> resultOf) {
        var current = snapshot.stream().collect(Collectors.toMap(FlowState::externalId, Function.identity()));
        var kept = wanted.stream().map(FlowState::externalId).collect(Collectors.toSet());
        var changes = new ArrayList<FlowChange>();
        snapshot.stream()
                .filter(flow -> !kept.contains(flow.externalId()))
                .forEach(flow -> changes.add(new FlowChange.Delete(flow)));
        wanted.stream()
                .filter(flow -> !current.containsKey(flow.externalId()))
                .forEach(flow -> changes.add(new FlowChange.Create(flow)));
        for (var source : wanted) {
            var target = current.get(source.externalId());
            if (target != null) {
                resultOf.apply(source, target)
                        .ifPresent(result -> changes.add(new FlowChange.Update(target, source, result)));
            }
        }
        return changes;
    }

    private static List<ConnectionChange> connections(List<StoredConnection> held, List<ConnectionState> wanted) {
        var current = byExternalId(held);
        var changes = new ArrayList<ConnectionChange>();
        for (var state : wanted) {
            var there = current.get(state.externalId());
            if (there == null) {
                changes.add(new ConnectionChange.Create(state));
            } else if (there.scope() == ConnectionScope.PROJECT
                    && !there.state().displayName().equals(state.displayName())) {
                changes.add(new ConnectionChange.Rename(there, state));
            }
        }
        return changes;
    }

    private static List<TableChange> tables(List<TableState> snapshot, List<TableState> wanted, boolean deletes) {
        var current = snapshot.stream().collect(Collectors.toMap(TableState::externalId, Function.identity()));
        var kept = wanted.stream().map(TableState::externalId).collect(Collectors.toSet());
        var changes = new ArrayList<TableChange>();
        snapshot.stream()
                .filter(table -> deletes && !kept.contains(table.externalId()))
                .forEach(table -> changes.add(new TableChange.Delete(table)));
        for (var state : wanted) {
            var there = current.get(state.externalId());
            if (there == null) {
                changes.add(new TableChange.Create(state));
            } else if (!there.isLike(state)) {
                changes.add(new TableChange.Update(there, state));
            }
        }
        return changes;
    }

    record Mismatch(StoredConnection current, ConnectionState wanted) {}

    static List<Mismatch> mismatches(List<StoredConnection> held, List<ConnectionState> wanted) {
        var current = byExternalId(held);
        return wanted.stream()
                .filter(state -> current.containsKey(state.externalId()))
                .map(state -> new Mismatch(current.get(state.externalId()), state))
                .filter(pair ->
                        !pair.current().state().pieceName().equals(pair.wanted().pieceName()))
                .toList();
    }

    private static Map<String, StoredConnection> byExternalId(List<StoredConnection> held) {
        return held.stream().collect(Collectors.toMap(each -> each.state().externalId(), Function.identity()));
    }

    /** The same without the flows that were not chosen; a selection never deletes tables. */
    StateDiff only(Optional<List<String>> flowIds) {
        return flowIds.map(Set::copyOf)
                .map(chosen -> new StateDiff(
                        flows.stream()
                                .filter(change -> chosen.contains(change.id()))
                                .toList(),
                        connections,
                        tables.stream()
                                .filter(change -> !(change instanceof TableChange.Delete))
                                .toList()))
                .orElse(this);
    }

    /**
     * JSON of the plan for users.
     *
     * @param problemOf reason why a flow would be saved as a draft only
     */
    ObjectNode toPlan(Function<FlowState, Optional<String>> problemOf) {
        var plan = Json.object();
        var flowList = plan.putArray("flows");
        var connectionList = plan.putArray("connections");
        var tableList = plan.putArray("tables");
        var errors = plan.putArray("errors");
        for (var change : flows) {
            flowList.add(toJson(change));
            result(change)
                    .flatMap(problemOf)
                    .ifPresent(problem ->
                            errors.addObject().put("flowId", change.id()).put("message", problem));
        }
        connections.forEach(change -> connectionList.add(toJson(change)));
        tables.forEach(change -> tableList.add(toJson(change)));
        return plan;
    }

    private static Optional<FlowState> result(FlowChange change) {
        return switch (change) {
            case FlowChange.Delete _ -> Optional.empty();
            case FlowChange.Create(var source) -> Optional.of(source);
            case FlowChange.Update update -> Optional.of(update.result());
        };
    }

    private static ObjectNode toJson(FlowChange change) {
        var json = Json.object();
        switch (change) {
            case FlowChange.Delete(var current) ->
                json.put("type", "DELETE_FLOW").set("flow", named(current.id(), current.displayName()));
            case FlowChange.Create(var source) ->
                json.put("type", "CREATE_FLOW").set("flow", named(source.id(), source.displayName()));
            case FlowChange.Update(var current, var source, var _) -> {
                json.put("type", "UPDATE_FLOW").set("flow", named(current.id(), source.displayName()));
                json.set("targetFlow", named(source.id(), current.displayName()));
            }
        }
        return json;
    }

    private static ObjectNode named(String id, String displayName) {
        return Json.object().put("id", id).put("displayName", displayName);
    }

    private static ObjectNode toJson(ConnectionChange change) {
        var json = Json.object();
        switch (change) {
            case ConnectionChange.Create(var state) ->
                json.put("type", "CREATE_CONNECTION").set("connectionState", state.toJson());
            case ConnectionChange.Rename(var current, var wanted) -> {
                json.put("type", "UPDATE_CONNECTION")
                        .set("connectionState", current.state().toJson());
                json.set("newConnectionState", wanted.toJson());
            }
        }
        return json;
    }

    private static ObjectNode toJson(TableChange change) {
        var json = Json.object();
        switch (change) {
            case TableChange.Delete(var current) ->
                json.put("type", "DELETE_TABLE").set("tableState", current.toJson());
            case TableChange.Create(var state) ->
                json.put("type", "CREATE_TABLE").set("tableState", state.toJson());
            case TableChange.Update(var current, var wanted) -> {
                json.put("type", "UPDATE_TABLE").set("tableState", current.toJson());
                json.set("newTableState", wanted.toJson());
            }
        }
        return json;
    }
}
