package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Import of one template into a server. Templates are matched by name.
 *
 * @param content body of the create and update requests
 * @param presentId id of the existing template with that name; empty for none
 */
record TemplateImport(ObjectNode content, Optional<String> presentId, ImportAction action) {
    private static final List<String> CONTENT = List.of(
            "name", "type", "summary", "description", "author", "tags", "blogUrl", "metadata", "categories", "flows");

    /** A server sets new dates in each step. */
    private static final String DATE = "lastUpdatedDate";

    static TemplateImport of(ObjectNode exported, List<ObjectNode> present) {
        var content = contentOf(exported);
        var found = present.stream()
                .filter(template -> template.path("name").equals(exported.path("name")))
                .findFirst();
        var action = found.map(
                        template -> contentOf(template).equals(content) ? ImportAction.KEEP : ImportAction.CONFLICT)
                .orElse(ImportAction.CREATE);
        return new TemplateImport(
                content, found.map(template -> template.path("id").asText()), action);
    }

    private static ObjectNode contentOf(ObjectNode template) {
        var content = Json.object();
        CONTENT.stream()
                .filter(name -> !template.path(name).isNull())
                .forEach(name -> content.set(name, template.path(name).deepCopy()));
        var open = new ArrayDeque<JsonNode>(List.of(content));
        while (!open.isEmpty()) {
            var node = open.pop();
            if (node instanceof ObjectNode object) {
                object.remove(DATE);
            }
            node.forEach(open::push);
        }
        return content;
    }

    boolean isConflict() {
        return action == ImportAction.CONFLICT;
    }

    void carryOut(RemotePlatform platform, boolean overwrites) {
        if (action == ImportAction.CREATE) {
            platform.putTemplate(content);
        } else if (action == ImportAction.CONFLICT && overwrites) {
            var changed = content.deepCopy();
            changed.remove(List.of("type", "author"));
            platform.putTemplate(presentId.orElseThrow(), changed);
        }
    }

    ObjectNode told() {
        return Json.object()
                .put("name", content.path("name").asText())
                .put("action", action.name())
                .put("templateId", presentId.orElse(null));
    }
}
