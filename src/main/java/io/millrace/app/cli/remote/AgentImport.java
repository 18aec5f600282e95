package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Import of one agent into a project. Agents are matched by the external id that flows refer to.
 *
 * @param content exported content
 * @param presentId id of the existing agent with that external id; empty for none
 * @param isPublishedThere true if the existing agent is published
 */
record AgentImport(ObjectNode content, Optional<String> presentId, boolean isPublishedThere, ImportAction action) {
    private static final List<String> HEAD = List.of("displayName", "description", "icon", "color");
    private static final List<String> CONFIGS = List.of("draft", "published");
    private static final String KEY = "externalId";

    /** Fields that a server with a default model fills in if an agent names none. */
    private static final List<String> FILLED_IN = List.of("provider", "modelName");

    static AgentImport of(ObjectNode content, List<ObjectNode> present) {
        var found = present.stream()
                .filter(agent -> agent.path(KEY).equals(content.path(KEY)))
                .findFirst();
        var action = found.map(agent -> isSame(content, contentOf(agent)) ? ImportAction.KEEP : ImportAction.CONFLICT)
                .orElse(ImportAction.CREATE);
        return new AgentImport(
                content,
                found.map(agent -> agent.path("id").asText()),
                found.filter(agent -> agent.path("published").isObject()).isPresent(),
                action);
    }

    /** Exported content of an agent: without its owner and without ids of the source server. */
    static ObjectNode contentOf(ObjectNode agent) {
        var content = Json.object();
        content.set(KEY, agent.path(KEY));
        HEAD.forEach(name -> content.set(name, agent.path(name)));
        for (var name : CONFIGS) {
            var config = agent.path(name).deepCopy();
            if (config instanceof ObjectNode object) {
                object.putNull("providerConfigId");
            }
            content.set(name, config);
        }
        return content;
    }

    private static boolean isSame(ObjectNode content, ObjectNode there) {
        for (var name : CONFIGS) {
            if (there.path(name) instanceof ObjectNode filled) {
                FILLED_IN.stream()
                        .filter(word -> content.path(name).path(word).isNull())
                        .forEach(filled::putNull);
            }
        }
        return content.equals(there);
    }

    boolean isConflict() {
        return action == ImportAction.CONFLICT;
    }

    boolean isCarriedOut(boolean overwrites) {
        return action == ImportAction.CREATE || isConflict() && overwrites;
    }

    /** Creates or updates the agent if the action requires it. Publishes the published content before it saves the draft. */
    void carryOut(RemoteAgents agents, boolean overwrites) {
        if (!isCarriedOut(overwrites)) {
            return;
        }
        var isPublished = content.path("published").isObject();
        var first = content.path(isPublished ? "published" : "draft");
        var id = presentId.orElseGet(() -> agents.create(head(), key(), first));
        if (presentId.isPresent()) {
            agents.change(id, head(), first);
        }
        if (isPublished) {
            agents.publish(id);
            if (!first.equals(content.path("draft"))) {
                agents.change(id, head(), content.path("draft"));
            }
        } else if (isPublishedThere) {
            agents.unpublish(id);
        }
    }

    private String key() {
        return content.path(KEY).asText();
    }

    private ObjectNode head() {
        return content.deepCopy().retain(HEAD);
    }

    ObjectNode item() {
        return Json.object()
                .put("kind", "AGENT")
                .put("action", action == ImportAction.CREATE ? "CREATE" : "UPDATE")
                .put("key", key())
                .put("displayName", content.path("displayName").asText());
    }

    /** Problems that an operator must resolve before the agent works. */
    List<ObjectNode> problems() {
        var problems = new ArrayList<ObjectNode>();
        for (var tool : content.path("draft").path("tools")) {
            var name = tool.path("toolName").asText();
            if (action == ImportAction.CREATE && hasSecret(tool)) {
                problems.add(problem("its tool " + name + " has no key: enter it"));
            }
            if (tool.path("type").asText().equals("KNOWLEDGE_BASE")) {
                problems.add(problem(
                        "its tool " + name + " refers to a knowledge base that does not exist here: choose one"));
            }
        }
        return problems;
    }

    private static boolean hasSecret(JsonNode tool) {
        return !tool.path("auth").path("type").asText("none").equals("none");
    }

    private ObjectNode problem(String message) {
        return Json.object().put("kind", "AGENT").put("key", key()).put("message", message);
    }
}
