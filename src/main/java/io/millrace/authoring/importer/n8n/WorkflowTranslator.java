package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.graph.NodeOrder;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.node.AgentToolFlows;
import io.millrace.authoring.importer.n8n.node.NodeMappings;
import io.millrace.authoring.importer.n8n.node.StepPlan;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates a workflow into one flow for each of its triggers. */
public final class WorkflowTranslator {
    private static final String SCHEMA_VERSION = "22";
    private static final int NAME_MAX = 200;
    private static final int TRIGGERS_MAX = 50;
    private static final int TOOLS_MAX = 100;

    private final int nodesMax;
    private final String date;

    /**
     * @param nodesMax nodes of a workflow that are translated; the others are reported
     * @param date ISO-8601 time of the import
     */
    public WorkflowTranslator(int nodesMax, String date) {
        this.nodesMax = nodesMax;
        this.date = date;
    }

    /** Translates a workflow; any JSON is accepted. */
    public WorkflowImport translate(JsonNode exported) {
        var workflow = Workflow.read(exported);
        var problems = new ArrayList<>(workflow.problems());
        if (workflow.nodes().size() > nodesMax) {
            problems.add("expected at most " + nodesMax + " nodes in a workflow, found "
                    + workflow.nodes().size() + ": raise AP_IMPORT_NODES_MAX");
            return new WorkflowImport(workflow.name(), List.of(), problems);
        }
        var flows = new ArrayList<FlowImport>();
        var covered = new HashSet<WorkflowNode>();
        var starts = starts(workflow);
        if (starts.size() > TRIGGERS_MAX) {
            problems.add("expected at most " + TRIGGERS_MAX + " triggers in a workflow, found " + starts.size()
                    + ": the others were left out");
        }
        for (var start : starts.stream().limit(TRIGGERS_MAX).toList()) {
            flows.add(flow(workflow, List.of(start), covered));
        }
        flows.addAll(tools(workflow));
        var rest = roots(workflow, covered);
        if (!rest.isEmpty() || flows.isEmpty() && !workflow.nodes().isEmpty()) {
            flows.add(flow(workflow, rest, covered));
        }
        return new WorkflowImport(workflow.name(), named(workflow, flows), problems);
    }

    /** A flow for each node of an application that is a tool of an agent. */
    private List<FlowImport> tools(Workflow workflow) {
        return workflow.nodes().stream()
                .filter(node -> workflow.isAttached(node) && AgentToolFlows.isFlow(node))
                .limit(TOOLS_MAX)
                .map(node -> {
                    var own = Workflow.read(AgentToolFlows.workflowOf(workflow, node));
                    var flow = flow(own, starts(own), new HashSet<>());
                    var settings = (ObjectNode) flow.template().path("trigger");
                    settings.put("displayName", node.name());
                    return new FlowImport(
                            flow.displayName(),
                            AgentToolFlows.keyOf(node),
                            flow.template(),
                            flow.samples(),
                            flow.entries(),
                            flow.differences());
                })
                .toList();
    }

    private static List<WorkflowNode> starts(Workflow workflow) {
        return workflow.nodes().stream()
                .filter(node -> NodeMappings.of(node).isTrigger() && !workflow.isAttached(node))
                .toList();
    }

    /** Nodes without a trigger and without predecessors; a cycle without a beginning begins at its first node. */
    private static List<WorkflowNode> roots(Workflow workflow, Set<WorkflowNode> covered) {
        var rest = workflow.nodes().stream()
                .filter(node -> !covered.contains(node) && !NodeMappings.isNote(node) && !workflow.isAttached(node))
                .toList();
        var roots = new ArrayList<>(
                rest.stream().filter(node -> !workflow.hasIncoming(node)).toList());
        var reached = new HashSet<>(reachedFrom(workflow, roots));
        for (var node : rest) {
            if (!reached.contains(node)) {
                roots.add(node);
                reached.addAll(reachedFrom(workflow, List.of(node)));
            }
        }
        return roots;
    }

    private static List<WorkflowNode> reachedFrom(Workflow workflow, List<WorkflowNode> roots) {
        return new NodeOrder(workflow, roots, node -> NodeMappings.of(node).isLoop()).nodes();
    }

    private FlowImport flow(Workflow workflow, List<WorkflowNode> roots, Set<WorkflowNode> covered) {
        var order = new NodeOrder(workflow, roots, node -> NodeMappings.of(node).isLoop());
        var entries = new LinkedHashMap<WorkflowNode, NodeEntry>();
        order.nodes().forEach(node -> entries.put(node, new NodeEntry(node)));
        var timezone = timezone(workflow);
        var builder = new FlowBuilder(workflow, order, new StepPlan(timezone), entries);
        builder.build(roots);
        covered.addAll(order.nodes());
        var differences = new ArrayList<>(WorkflowSettings.differences(workflow, timezone));
        var trigger = builder.trigger();
        if (trigger == null) {
            differences.add("these nodes have no trigger: the flow starts by hand");
            trigger = manual();
        }
        trigger.put("lastUpdatedDate", date);
        var head = builder.sequence().json();
        if (head != null) {
            trigger.set("nextAction", head);
        }
        var template = Json.object().put("displayName", name(workflow)).put("schemaVersion", SCHEMA_VERSION);
        template.set("trigger", trigger);
        template.set("notes", CanvasNotes.of(workflow, date));
        var all = new ArrayList<>(entries.values());
        builder.parts().forEach(part -> {
            covered.add(part.node());
            all.add(part);
        });
        workflow.nodes().stream()
                .filter(NodeMappings::isNote)
                .filter(covered::add)
                .map(NodeEntry::new)
                .forEach(all::add);
        all.removeIf(entry -> AgentToolFlows.isAdded(entry.node()));
        return new FlowImport(name(workflow), "", template, samples(workflow, builder, entries), all, differences);
    }

    private static Map<String, JsonNode> samples(
            Workflow workflow, FlowBuilder builder, Map<WorkflowNode, NodeEntry> entries) {
        var samples = new HashMap<String, JsonNode>();
        entries.forEach((node, entry) -> {
            var place = builder.place(node);
            if (place != null) {
                PinnedData.sample(workflow, node, place.outcome().output(0), entry.step())
                        .ifPresent(sample -> samples.put(entry.step(), sample));
            }
        });
        return samples;
    }

    private static ObjectNode manual() {
        var settings = Json.object()
                .put("pieceName", "@activepieces/piece-manual-trigger")
                .put("pieceVersion", "0.1.0")
                .put("triggerName", "manual_trigger");
        settings.putObject("input");
        settings.putObject("propertySettings");
        var trigger = Json.object()
                .put("name", "trigger")
                .put("displayName", "Manual Trigger")
                .put("type", "PIECE_TRIGGER")
                .put("valid", true);
        return trigger.set("settings", settings);
    }

    private static String timezone(Workflow workflow) {
        var zone = workflow.setting("timezone").asText("");
        try {
            return zone.isEmpty() || zone.equals("DEFAULT")
                    ? "UTC"
                    : ZoneId.of(zone).getId();
        } catch (DateTimeException unknown) {
            return "UTC";
        }
    }

    private static String name(Workflow workflow) {
        var name = workflow.name();
        return CutText.of(name, NAME_MAX);
    }

    /** Several flows of one workflow are distinguished by their triggers. */
    private static List<FlowImport> named(Workflow workflow, List<FlowImport> flows) {
        if (flows.size() < 2) {
            return flows;
        }
        return flows.stream()
                .map(flow -> {
                    var trigger =
                            flow.template().path("trigger").path("displayName").asText();
                    var name = name(workflow) + " (" + trigger + ")";
                    return new FlowImport(
                            name,
                            flow.toolKey(),
                            flow.template().put("displayName", name),
                            flow.samples(),
                            flow.entries(),
                            flow.differences());
                })
                .toList();
    }
}
