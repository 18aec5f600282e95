package io.millrace.authoring.importer.n8n.graph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An exported workflow. Reading never fails: what cannot be read is absent and named in {@link #problems}. */
public final class Workflow {
    private static final String MAIN = "main";
    private static final int OUTPUTS_MAX = 100;
    private static final int WRAPPERS_MAX = 3;

    private final ObjectNode json;
    private final Map<String, WorkflowNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<Edge>> outgoing = new LinkedHashMap<>();
    private final List<SubNode> attachments = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private Workflow(ObjectNode json) {
        this.json = json;
    }

    public static Workflow read(JsonNode exported) {
        var workflow = new Workflow(unwrapped(exported));
        workflow.readNodes();
        workflow.readConnections();
        return workflow;
    }

    /**
     * The workflow itself: answers of the interface of n8n and of its template site have it in {@code data} or {@code
     * workflow}.
     */
    private static ObjectNode unwrapped(JsonNode exported) {
        var json = exported;
        for (var level = 0; level < WRAPPERS_MAX && !json.path("nodes").isArray(); level++) {
            var inner = json.path("workflow").isObject() ? json.path("workflow") : json.path("data");
            if (!inner.isObject()) {
                break;
            }
            if (inner instanceof ObjectNode object
                    && !object.hasNonNull("name")
                    && json.path("name").isTextual()) {
                object.set("name", json.path("name"));
            }
            json = inner;
        }
        return json instanceof ObjectNode object ? object : Json.object();
    }

    private void readNodes() {
        if (!json.path("nodes").isArray()) {
            problems.add("expected a list of nodes, found none");
        }
        for (var entry : json.path("nodes")) {
            if (!(entry instanceof ObjectNode node)) {
                problems.add("a node is not an object and was left out");
                continue;
            }
            var name = node.path("name").asText("");
            var unique = name.isEmpty() ? "Node " + (nodes.size() + 1) : name;
            while (nodes.containsKey(unique)) {
                problems.add("two nodes are named \"" + unique + "\": connections belong to the first one");
                unique = unique + " 2";
            }
            nodes.put(unique, WorkflowNode.of(node, unique));
        }
    }

    private void readConnections() {
        for (var ofNode : json.path("connections").properties()) {
            var from = nodes.get(ofNode.getKey());
            if (from == null) {
                problems.add("a connection begins at \"" + ofNode.getKey() + "\", which is not a node");
                continue;
            }
            for (var ofKind : ofNode.getValue().properties()) {
                readOutputs(from, ofKind.getKey(), ofKind.getValue());
            }
        }
    }

    private void readOutputs(WorkflowNode from, String kind, JsonNode outputs) {
        var output = 0;
        for (var targets : outputs) {
            if (output >= OUTPUTS_MAX) {
                problems.add(
                        "\"" + from.name() + "\" has more than " + OUTPUTS_MAX + " outputs: the rest was left out");
                return;
            }
            for (var target : targets) {
                var to = nodes.get(target.path("node").asText(""));
                if (to == null) {
                    problems.add("a connection of \"" + from.name() + "\" ends at no node");
                } else if (kind.equals(MAIN)) {
                    connect(new Edge(
                            from, output, to, Math.clamp(target.path("index").asInt(0), 0, OUTPUTS_MAX)));
                } else {
                    attachments.add(new SubNode(from, kind, to));
                }
            }
            output++;
        }
    }

    private void connect(Edge edge) {
        var edges = outgoing.computeIfAbsent(edge.from().name(), _ -> new ArrayList<>());
        if (!edges.contains(edge)) {
            edges.add(edge);
        }
    }

    public String name() {
        var name = json.path("name").asText("").strip();
        return name.isEmpty() ? "Imported workflow" : name;
    }

    public ObjectNode json() {
        return json;
    }

    public JsonNode setting(String name) {
        return json.path("settings").path(name);
    }

    public List<JsonNode> pinned(WorkflowNode node) {
        return json.path("pinData").path(node.name()) instanceof ArrayNode items
                ? items.valueStream().toList()
                : List.of();
    }

    public List<WorkflowNode> nodes() {
        return List.copyOf(nodes.values());
    }

    public Optional<WorkflowNode> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** Connections from a node: by output, then from top to bottom of the canvas as n8n executes them. */
    public List<Edge> edgesFrom(WorkflowNode node) {
        return outgoing.getOrDefault(node.name(), List.of()).stream()
                .sorted(Comparator.comparingInt(Edge::output)
                        .thenComparingDouble(edge -> edge.to().y())
                        .thenComparingDouble(edge -> edge.to().x()))
                .toList();
    }

    public List<SubNode> attachedTo(WorkflowNode parent) {
        return attachments.stream()
                .filter(attachment -> attachment.parent().equals(parent))
                .toList();
    }

    public boolean isAttached(WorkflowNode node) {
        return attachments.stream().anyMatch(attachment -> attachment.part().equals(node));
    }

    public boolean hasIncoming(WorkflowNode node) {
        return outgoing.values().stream()
                .flatMap(List::stream)
                .anyMatch(edge -> edge.to().equals(node) && !edge.from().equals(node));
    }

    public List<String> problems() {
        return List.copyOf(new LinkedHashSet<>(problems));
    }
}
