package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/**
 * Agents of one project at a running server that are visible to the whole project; agents shared with single users are
 * excluded.
 */
final class RemoteAgents {
    private static final String ALL = "/api/v1/agents";
    private static final String VISIBILITY = "visibility";
    private static final String PROJECT = "PROJECT";

    private final RemoteServer server;
    private final String projectId;

    RemoteAgents(RemoteServer server, String projectId) {
        this.server = server;
        this.projectId = ProjectApi.checkedId(projectId);
    }

    /** Agents with their drafts and published versions, without secrets; empty if the server does not offer agents. */
    List<ObjectNode> all() {
        return server.pages(ALL + "?sort=created&projectId=" + projectId).stream()
                .filter(agent -> agent.path(VISIBILITY).asText().equals(PROJECT))
                .map(agent -> server.get(one(agent.path("id").asText())))
                .toList();
    }

    private static String one(String id) {
        return ALL + "/" + id;
    }

    String create(ObjectNode head, String externalId, JsonNode draft) {
        var wanted = Json.object().put("projectId", projectId).put("externalId", externalId);
        wanted.setAll(head);
        wanted.put(VISIBILITY, PROJECT).set("draft", draft);
        return server.post(ALL, wanted).path("id").asText();
    }

    void change(String id, ObjectNode head, JsonNode draft) {
        var wanted = head.deepCopy();
        wanted.set("draft", draft);
        server.post(one(id), wanted);
    }

    void publish(String id) {
        server.post(one(id) + "/publish", Json.object());
    }

    void unpublish(String id) {
        server.post(one(id) + "/unpublish", Json.object());
    }
}
