package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * A connection as the API shows it.
 *
 * @param flowIds flows that use it, of the projects in the request
 * @param projects {id, displayName, type} of its projects; null where the list does not show them
 */
public record ConnectionView(AppConnection connection, List<String> flowIds, JsonNode projects) {
    public ConnectionView {
        flowIds = List.copyOf(flowIds);
    }

    ConnectionView withoutProjects() {
        return new ConnectionView(connection, flowIds, null);
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", connection.id())
                .put("created", Json.timestamp(connection.created()))
                .put("updated", Json.timestamp(connection.updated()))
                .put("externalId", connection.externalId())
                .put("displayName", connection.displayName())
                .put("type", connection.type().name())
                .put("pieceName", connection.pieceName())
                .put("pieceVersion", connection.pieceVersion());
        connection.projectIds().forEach(json.putArray("projectIds")::add);
        json.put("platformId", connection.platformId())
                .put("scope", connection.scope().name())
                .put("status", connection.status().name())
                .put("ownerId", connection.ownerId());
        json.set("owner", connection.owner());
        json.set("metadata", connection.metadata());
        flowIds.forEach(json.putArray("flowIds")::add);
        json.put("preSelectForNewProjects", connection.preSelectForNewProjects())
                .put("usingSecretManager", connection.usingSecretManager());
        if (projects != null) {
            json.set("projects", projects);
        }
        return json;
    }
}
