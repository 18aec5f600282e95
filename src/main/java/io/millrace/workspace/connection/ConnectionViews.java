package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Adds data of other modules to connections; one query per kind of data, regardless of the number of connections. */
final class ConnectionViews {
    private final FlowConnections flows;
    private final ProjectLinkStore links;

    ConnectionViews(FlowConnections flows, ProjectLinkStore links) {
        this.flows = flows;
        this.links = links;
    }

    /** View in one project, without flows of other projects. */
    Future<ConnectionView> inProject(Tx tx, AppConnection connection, String projectId) {
        return inProject(tx, Page.whole(List.of(connection)), projectId)
                .map(page -> page.data().getFirst());
    }

    Future<Page<ConnectionView>> inProject(Tx tx, Page<AppConnection> page, String projectId) {
        return usages(tx, page, List.of(projectId))
                .map(usages -> page.map(connection ->
                        new ConnectionView(connection, flowIds(connection, List.of(projectId), usages), null)));
    }

    Future<ConnectionView> onPlatform(Tx tx, AppConnection connection) {
        var page = Page.whole(List.of(connection));
        return usages(tx, page, connection.projectIds())
                .map(usages ->
                        new ConnectionView(connection, flowIds(connection, connection.projectIds(), usages), null));
    }

    Future<Page<ConnectionView>> onPlatform(Tx tx, Page<AppConnection> page) {
        var projectIds = page.data().stream()
                .flatMap(connection -> connection.projectIds().stream())
                .distinct()
                .toList();
        return usages(tx, page, projectIds)
                .compose(usages -> described(tx, projectIds)
                        .map(described -> page.map(connection -> new ConnectionView(
                                connection,
                                flowIds(connection, connection.projectIds(), usages),
                                projects(connection, described)))));
    }

    private Future<Map<String, JsonNode>> described(Tx tx, List<String> projectIds) {
        return projectIds.isEmpty() ? Future.succeededFuture(Map.of()) : links.describe(tx, projectIds);
    }

    private Future<List<FlowConnections.Usage>> usages(Tx tx, Page<AppConnection> page, List<String> projectIds) {
        var externalIds = names(page.data(), AppConnection::externalId);
        return externalIds.isEmpty() || projectIds.isEmpty()
                ? Future.succeededFuture(List.of())
                : flows.usages(tx, projectIds, externalIds);
    }

    private static List<String> names(List<AppConnection> connections, Function<AppConnection, String> name) {
        return connections.stream().map(name).distinct().toList();
    }

    private static List<String> flowIds(
            AppConnection connection, List<String> projectIds, List<FlowConnections.Usage> usages) {
        return usages.stream()
                .filter(usage -> usage.externalId().equals(connection.externalId()))
                .filter(usage -> projectIds.contains(usage.projectId()))
                .map(FlowConnections.Usage::flowId)
                .distinct()
                .toList();
    }

    private static JsonNode projects(AppConnection connection, Map<String, JsonNode> described) {
        var projects = Json.array();
        connection.projectIds().stream().filter(described::containsKey).forEach(id -> projects.add(described.get(id)));
        return projects;
    }
}
