package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.Edge;
import io.millrace.authoring.importer.n8n.graph.NodeOrder;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.node.NodeContext;
import io.millrace.authoring.importer.n8n.node.NodeMapping;
import io.millrace.authoring.importer.n8n.node.NodeMappings;
import io.millrace.authoring.importer.n8n.node.StepPlan;
import io.millrace.authoring.importer.n8n.step.ItemLoop;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.authoring.importer.n8n.step.StepSequence;
import io.millrace.base.core.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Places the nodes after one trigger as a tree of steps. A node with one connection to it follows the node before it,
 * or begins its branch; a node where paths meet follows the node that all these paths come from.
 */
final class FlowBuilder {
    /** Input of a node without predecessors: n8n starts it manually with an item without fields. */
    private static final View EMPTY_ITEM = View.one("({ })");

    private final Workflow workflow;
    private final NodeOrder order;
    private final StepPlan plan;
    private final Map<WorkflowNode, NodePlace> places = new HashMap<>();
    private final Map<WorkflowNode, NodeEntry> entries;
    private final Deque<Runnable> pending = new ArrayDeque<>();
    private final StepSequence root = StepSequence.root();
    private final List<NodeEntry> parts = new ArrayList<>();
    private ObjectNode trigger;

    /** @param entries report of the flow, to which an entry is added for each node */
    FlowBuilder(Workflow workflow, NodeOrder order, StepPlan plan, Map<WorkflowNode, NodeEntry> entries) {
        this.workflow = workflow;
        this.order = order;
        this.plan = plan;
        this.entries = entries;
    }

    void build(List<WorkflowNode> roots) {
        for (var start : roots.reversed()) {
            pending.push(() -> place(start, root));
        }
        for (var merged : order.dominatedBy(null).reversed()) {
            pending.addLast(() -> place(merged, root));
        }
        while (!pending.isEmpty()) {
            pending.pop().run();
        }
        for (var edge : order.cuts()) {
            entries.get(edge.from())
                    .near("the connection back to \"" + edge.to().name()
                            + "\" was cut: a flow repeats steps only in a loop over items");
        }
    }

    StepSequence sequence() {
        return root;
    }

    /** Trigger of the flow; null without one. */
    ObjectNode trigger() {
        return trigger;
    }

    List<NodeEntry> parts() {
        return parts;
    }

    NodePlace place(WorkflowNode node) {
        return places.get(node);
    }

    private void place(WorkflowNode node, StepSequence sequence) {
        if (places.containsKey(node)) {
            return;
        }
        var mapping = NodeMappings.of(node);
        var level = mapping.level(node);
        var frame = sequence.frame();
        if (frame != null && frame.isImplicit() && level == NodeMapping.Level.LIST) {
            frame.pending().add(node);
            return;
        }
        var entry = entries.computeIfAbsent(node, NodeEntry::new);
        var scope = new NodeScope(workflow, order, places, node, frame);
        var input = scope.input(0);
        if (level == NodeMapping.Level.ITEM && input.isPresent() && input.get().isList()) {
            placeInLoop(node, sequence, input.get(), entry);
        } else {
            var isRoot = input.isEmpty() && !mapping.isTrigger();
            translate(node, sequence, entry, isRoot ? scope.withInput(EMPTY_ITEM) : scope);
        }
    }

    private void placeInLoop(WorkflowNode node, StepSequence sequence, View items, NodeEntry entry) {
        var name = plan.nextName();
        var loop = StepDraft.loop(name, "Each item of " + node.name(), NodeScope.token(items.json()));
        sequence.add(loop);
        var frame = ItemLoop.of(name, true, items, sequence);
        var body = sequence.body(frame);
        loop.setBody(body);
        entry.near("in a loop over the items of its input, because the node runs once for each item");
        pending.push(() -> close(frame));
        var scope = new NodeScope(workflow, order, places, node, frame);
        translate(node, body, entry, scope.withInput(View.one(frame.item())));
    }

    /** Nodes that read all items follow the loop. */
    private void close(ItemLoop frame) {
        for (var node : frame.pending().reversed()) {
            pending.push(() -> place(node, frame.outer()));
        }
    }

    private void translate(WorkflowNode node, StepSequence sequence, NodeEntry entry, NodeScope scope) {
        var mapping = NodeMappings.of(node);
        var context = new NodeContext(workflow, entry, sequence, plan, scope, scope::input);
        mapping.translate(context);
        var outcome = context.outcome();
        parts.addAll(outcome.parts());
        if (outcome.trigger() != null) {
            trigger = outcome.trigger();
        }
        if (node.isDisabled() && !mapping.isTrigger()) {
            entry.near("the node is disabled: its step is skipped");
        }
        places.put(node, new NodePlace(outcome, sequence, sequence.frame(), places.size()));
        ErrorHandling.apply(node, outcome, sequence, entry);
        if (scope.meetsWithoutChoice()) {
            entry.near("n8n runs the node once for each of its connections; here it runs once with the items of all");
        }
        placeFollowers(node, sequence, mapping);
    }

    private void placeFollowers(WorkflowNode node, StepSequence sequence, NodeMapping mapping) {
        var outcome = places.get(node).outcome();
        var followers = order.dominatedBy(node);
        for (var follower : followers.reversed()) {
            if (order.edgesTo(follower).size() != 1) {
                pending.push(() -> placeMeeting(node, follower, sequence));
            }
        }
        var edges = order.edgesFrom(node).stream()
                .filter(edge -> order.edgesTo(edge.to()).size() == 1 && followers.contains(edge.to()))
                // The body of a loop comes first: the nodes after the loop read its results.
                .sorted(Comparator.comparing(edge -> mapping.isLoop() && outcome.sequence(edge.output()) == null))
                .toList();
        if (edges.stream().map(Edge::output).distinct().count() < edges.size() && !mapping.isTrigger()) {
            entries.get(node).near("the nodes behind it run one after another, from top to bottom");
        }
        for (var edge : edges.reversed()) {
            var branch = node.isDisabled() ? null : outcome.sequence(edge.output());
            var target = branch == null ? sequence : branch;
            if (branch != null && branch.isDeepest()) {
                entries.get(node)
                        .byHand(
                                "branches are nested too deep: the nodes behind it follow without a condition, skipped");
            }
            pending.push(() -> place(edge.to(), target.isDeepest() ? sequence : target));
        }
    }

    private static int selectingOutputs(WorkflowNode node) {
        if (node.isDisabled()) {
            return 1;
        }
        var outputs = NodeMappings.of(node).selectingOutputs(node);
        return outputs == 1 && node.hasErrorOutput() ? 2 : outputs;
    }

    /** Places a node where paths meet, under a condition unless every path leads there. */
    private void placeMeeting(WorkflowNode from, WorkflowNode node, StepSequence sequence) {
        var isCertain = order.alwaysReaches(from, node, FlowBuilder::selectingOutputs);
        if (isCertain
                || sequence.isDeepest()
                || NodeMappings.of(node).level(node) == NodeMapping.Level.LIST
                        && sequence.frame() != null
                        && sequence.frame().isImplicit()) {
            place(node, sequence);
            return;
        }
        var conditions = new ArrayList<String>();
        for (var edge : order.edgesTo(node)) {
            var place = places.get(edge.from());
            if (place != null) {
                conditions.add(NodeScope.taken(place, edge.output(), sequence.frame()));
            }
        }
        var guard = StepDraft.router(plan.nextName(), "Before " + node.name(), true);
        var branch = Json.object().put("branchName", "reached").put("branchType", "CONDITION");
        branch.putArray("conditions")
                .addArray()
                .addObject()
                .put("operator", "BOOLEAN_IS_TRUE")
                .put("firstValue", NodeScope.token("(" + String.join(" || ", conditions) + ")"));
        var inner = guard.addBranch(branch, sequence.inner());
        guard.addBranch(Json.object().put("branchName", "Otherwise").put("branchType", "FALLBACK"), sequence.inner());
        sequence.add(guard);
        place(node, inner);
    }
}
