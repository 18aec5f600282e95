package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

final class RemotePlatform {
    private final RemoteServer server;

    RemotePlatform(RemoteServer server) {
        this.server = server;
    }

    /** Every project that the key sees, in the order in which they were made. */
    List<ObjectNode> projects() {
        return server.pages("/api/v1/projects");
    }

    ObjectNode project(String id) {
        return server.get("/api/v1/projects/" + ProjectApi.checkedId(id));
    }

    ObjectNode newProject(String displayName, String externalId) {
        var wanted = Json.object().put("displayName", displayName);
        if (externalId != null) {
            wanted.put("externalId", externalId);
        }
        return server.post("/api/v1/projects", wanted);
    }

    ProjectApi definition(ObjectNode project) {
        return ProjectApi.of(server, project.path("id").asText());
    }

    /** @param told outcome of an import of one project */
    ProjectApi definitionOf(ObjectNode told) {
        return ProjectApi.of(server, told.path("projectId").asText());
    }

    RemoteAgents agents(ObjectNode project) {
        return new RemoteAgents(server, project.path("id").asText());
    }

    RemoteTables tables(ObjectNode project) {
        return new RemoteTables(server, project.path("id").asText());
    }

    List<ObjectNode> templates() {
        var templates = new ArrayList<ObjectNode>();
        server.get("/api/v1/templates?type=CUSTOM")
                .path("data")
                .forEach(template -> templates.add((ObjectNode) template));
        return templates;
    }

    void putTemplate(ObjectNode template) {
        server.post("/api/v1/templates", template);
    }

    void putTemplate(String id, ObjectNode template) {
        server.post("/api/v1/templates/" + id, template);
    }
}
