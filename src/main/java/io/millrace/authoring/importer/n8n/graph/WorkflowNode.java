package io.millrace.authoring.importer.n8n.graph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Locale;

/**
 * A node of a workflow. Fields of an unexpected type have their default.
 *
 * @param name unique name in the workflow
 * @param type complete type, such as {@code n8n-nodes-base.set}
 * @param version type version, 1 if none is given
 * @param json node as exported
 */
public record WorkflowNode(String name, String type, double version, double x, double y, ObjectNode json) {
    private static final String BASE = "n8n-nodes-base.";
    private static final String LANGCHAIN = "@n8n/n8n-nodes-langchain.";

    static WorkflowNode of(ObjectNode json, String name) {
        var position = json.path("position");
        return new WorkflowNode(
                name,
                json.path("type").asText(""),
                json.path("typeVersion").asDouble(1),
                number(position, 0, "x"),
                number(position, 1, "y"),
                json);
    }

    private static double number(JsonNode position, int index, String name) {
        var value = position.isObject() ? position.path(name) : position.path(index);
        var number = value.asDouble(0);
        return Double.isFinite(number) ? number : 0;
    }

    /** Type without the package, in lower case; types of the LangChain package begin with {@code ai:}. */
    public String kind() {
        var lower = type.toLowerCase(Locale.ROOT);
        if (lower.startsWith(LANGCHAIN)) {
            return "ai:" + lower.substring(LANGCHAIN.length());
        }
        return lower.startsWith(BASE) ? lower.substring(BASE.length()) : lower;
    }

    public JsonNode parameters() {
        return json.path("parameters");
    }

    /** Value of a parameter by its path of names, separated by dots; missing if there is none. */
    public JsonNode parameter(String path) {
        var value = parameters();
        for (var name : path.split("\\.")) {
            value = value.path(name);
        }
        return value;
    }

    public String text(String path) {
        return parameter(path).asText("");
    }

    public boolean isDisabled() {
        return json.path("disabled").asBoolean(false);
    }

    /** True if the node continues after an error, on its regular or its error output. */
    public boolean continuesOnError() {
        return json.path("continueOnFail").asBoolean(false)
                || json.path("onError").asText("").startsWith("continue");
    }

    public boolean hasErrorOutput() {
        return json.path("onError").asText("").equals("continueErrorOutput");
    }

    public boolean isRetried() {
        return json.path("retryOnFail").asBoolean(false);
    }

    public ObjectNode parameterObject() {
        return parameters() instanceof ObjectNode object ? object : Json.object();
    }

    /** Identity: a workflow has each node once, and comparing exported JSON would be slow. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
