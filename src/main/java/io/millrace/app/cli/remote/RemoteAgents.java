package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;

/** The agents of one project at a running server that the whole project sees; what somebody keeps for a few stays there. */
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

    /** With their drafts and what is published, without secrets; none where nobody keeps agents. */
    List<ObjectNode> all() {
        return server.pages(ALL + "?sort=created&projectId=" + projectId).stream()
                .filter(agent -> agent.path(VISIBILITY).asText().equals(PROJECT))
                .map(agent -> server.get(one(agent.path("id").asText())))
                .toList();
    }

    private static String one(String id) {
        return ALL + "/" + id;
    }

    /** Makes one; its id. */
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
