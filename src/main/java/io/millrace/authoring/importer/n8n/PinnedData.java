package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/** Pinned data of nodes as sample outputs of steps. */
final class PinnedData {
    private PinnedData() {}

    /** Output with the pinned items, as the view of a node; empty if there is none. */
    static Optional<JsonNode> sample(Workflow workflow, WorkflowNode node, View view, String step) {
        var pinned = workflow.pinned(node);
        if (pinned.isEmpty() || view == null || step.isEmpty()) {
            return Optional.empty();
        }
        var items = Json.array();
        for (var item : pinned) {
            items.add(item.path("json").isObject() ? item.path("json") : item);
        }
        if (node.kind().equals("webhook")) {
            var request = Json.object().put("method", "POST");
            request.set(
                    "headers",
                    items.get(0).path("headers").isObject() ? items.get(0).path("headers") : Json.object());
            request.set("body", items.get(0).path("body"));
            request.set(
                    "queryParams",
                    items.get(0).path("query").isObject() ? items.get(0).path("query") : Json.object());
            return Optional.of(request);
        }
        var value = view.isList() ? items : items.get(0);
        var output = step + "['output']";
        if (view.json().equals(output)) {
            return Optional.of(value);
        }
        var body = output + "['body']";
        if (view.json().equals(body) || view.equals(View.itemsOf(body))) {
            var response = Json.object().put("status", 200);
            response.putObject("headers");
            response.set("body", value);
            return Optional.of(response);
        }
        return Optional.empty();
    }
}
