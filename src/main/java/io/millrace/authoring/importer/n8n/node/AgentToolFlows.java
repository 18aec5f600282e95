package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes of applications that agents have as tools. Each becomes a workflow of three nodes: a trigger with the parameters that the
 * model fills, the node itself, and the reply to the model.
 */
public final class AgentToolFlows {
    private static final String TRIGGER = "millrace.agenttool";
    private static final String REPLY = "millrace.agentreply";
    private static final String SUFFIX = "tool";
    private static final int KEY_MAX = 80;

    private AgentToolFlows() {}

    /** True for a node that only the importer adds. */
    public static boolean isAdded(WorkflowNode node) {
        return mapping(node.kind()).isPresent();
    }

    static Optional<NodeMapping> mapping(String kind) {
        return switch (kind) {
            case TRIGGER -> Optional.of(new TriggerNodes.ModelCall());
            case REPLY -> Optional.of(new FlowNodes("reply"));
            default -> Optional.empty();
        };
    }

    /** True if the node becomes a flow that the model calls. */
    public static boolean isFlow(WorkflowNode tool) {
        var kind = tool.kind();
        return kind.endsWith(SUFFIX)
                && !kind.startsWith("ai:")
                && !kind.startsWith("httprequest")
                && NodeMappings.kinds().contains(kind.substring(0, kind.length() - SUFFIX.length()));
    }

    /** External id of the flow of a tool in an import, until the server chooses one. */
    public static String keyOf(WorkflowNode tool) {
        var plain = nameOf(tool);
        return "n8n-tool-" + plain.substring(0, Math.min(plain.length(), KEY_MAX)) + "-"
                + Integer.toHexString(tool.name().hashCode());
    }

    /** Name under which the model calls the tool. */
    static String nameOf(WorkflowNode tool) {
        return tool.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    /** The workflow of a tool, as n8n would export it. */
    public static ObjectNode workflowOf(Workflow workflow, WorkflowNode tool) {
        var arguments = new LinkedHashMap<String, ObjectNode>();
        var node = tool.json().deepCopy();
        node.put("type", tool.type().substring(0, tool.type().length() - SUFFIX.length()));
        node.set("parameters", rewritten(tool.parameters(), "value", arguments));
        var exported = Json.object().put("name", workflow.name());
        exported.set("settings", workflow.json().path("settings").deepCopy());
        var trigger = name("Call of the model", tool);
        var reply = name("Reply", tool);
        exported.putArray("nodes")
                .add(trigger(trigger, tool, arguments))
                .add(node)
                .add(Json.object().put("name", reply).put("type", REPLY));
        var connections = exported.putObject("connections");
        connect(connections, trigger, tool.name());
        connect(connections, tool.name(), reply);
        return exported;
    }

    private static String name(String wanted, WorkflowNode tool) {
        return tool.name().equals(wanted) ? wanted + " 2" : wanted;
    }

    private static void connect(ObjectNode connections, String from, String to) {
        connections
                .putObject(from)
                .putArray("main")
                .addArray()
                .addObject()
                .put("node", to)
                .put("type", "main")
                .put("index", 0);
    }

    private static ObjectNode trigger(String name, WorkflowNode tool, Map<String, ObjectNode> arguments) {
        var trigger = Json.object().put("name", name).put("type", TRIGGER);
        var parameters = trigger.putObject("parameters").put("toolName", nameOf(tool));
        var described = tool.text("toolDescription");
        parameters.put("toolDescription", described.isBlank() ? usualDescription(tool) : described);
        var list = parameters.putArray("inputSchema");
        arguments.values().forEach(list::add);
        return trigger;
    }

    private static String usualDescription(WorkflowNode tool) {
        var words = List.of(tool.text("resource"), tool.text("operation"));
        var what = String.join(" ", words).strip();
        return what.isEmpty() || what.contains("{{") ? tool.name() : tool.name() + " (" + what + ")";
    }

    /** Parameters in which the model's values are fields of the input. */
    private static JsonNode rewritten(JsonNode value, String name, Map<String, ObjectNode> arguments) {
        if (value.isTextual() && value.textValue().startsWith("=")) {
            return TextNode.valueOf(ModelArguments.rewritten(value.textValue(), name, arguments));
        }
        if (value instanceof ObjectNode object) {
            var copy = Json.object();
            object.properties()
                    .forEach(field -> copy.set(
                            field.getKey(), rewritten(field.getValue(), nameIn(field.getKey(), name), arguments)));
            return copy;
        }
        if (value.isArray()) {
            var copy = Json.array();
            value.forEach(item -> copy.add(rewritten(item, name, arguments)));
            return copy;
        }
        return value;
    }

    /** The value of a resource locator has the name of its parameter. */
    private static String nameIn(String key, String parent) {
        return key.equals("value") ? parent : key;
    }
}
