package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.project.IconColor;

/**
 * An unsaved agent: drafted by a model from a description, or a template (contract agents 1.2, draft and templates).
 *
 * @param provider null for the one that serves chats, as is {@code modelName} for its usual model
 */
record AgentDraft(
        String displayName,
        String description,
        AgentIcon icon,
        IconColor color,
        String instructions,
        ArrayNode tools,
        String provider,
        String modelName) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("displayName", displayName)
                .put("description", description)
                .put("icon", icon.word())
                .put("color", color.name())
                .put("instructions", instructions);
        json.set("tools", tools);
        return json.put("provider", provider).put("modelName", modelName);
    }
}
