package io.millrace.authoring.importer.n8n.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The nodes that one trigger reaches, as a directed graph without cycles: topological order, dominators and post-dominators.
 *
 * <p>A connection back to a loop node ends the body of its loop. Every other connection that closes a cycle is cut and kept in
 * {@link #cuts}.
 */
public final class NodeOrder {
    private final Workflow workflow;
    private final List<WorkflowNode> roots;
    private final Predicate<WorkflowNode> isLoop;
    private final List<WorkflowNode> order = new ArrayList<>();
    private final Map<WorkflowNode, Integer> positions = new HashMap<>();
    private final Map<WorkflowNode, List<Edge>> outgoing = new LinkedHashMap<>();
    private final Map<WorkflowNode, List<Edge>> incoming = new LinkedHashMap<>();
    private final List<Edge> loopEnds = new ArrayList<>();
    private final List<Edge> cuts = new ArrayList<>();
    private final Map<WorkflowNode, WorkflowNode> dominators = new HashMap<>();

    /** @param isLoop true for nodes that execute the nodes after one output repeatedly */
    public NodeOrder(Workflow workflow, List<WorkflowNode> roots, Predicate<WorkflowNode> isLoop) {
        this.workflow = workflow;
        this.roots = List.copyOf(roots);
        this.isLoop = isLoop;
        visit();
        dominate();
    }

    /** Depth-first search without recursion: connections to a node on the current path close a cycle. */
    private void visit() {
        var finished = new ArrayList<WorkflowNode>();
        var entered = new HashSet<WorkflowNode>();
        var onPath = new HashSet<WorkflowNode>();
        for (var index = roots.size() - 1; index >= 0; index--) {
            if (entered.add(roots.get(index))) {
                visitFrom(roots.get(index), entered, onPath, finished);
            }
        }
        order.addAll(finished.reversed());
        order.forEach(node -> positions.put(node, positions.size()));
        outgoing.values()
                .forEach(edges -> edges.forEach(edge -> incoming.computeIfAbsent(edge.to(), _ -> new ArrayList<>())
                        .add(edge)));
    }

    private void visitFrom(
            WorkflowNode root, Set<WorkflowNode> entered, Set<WorkflowNode> onPath, List<WorkflowNode> finished) {
        var path = new ArrayDeque<WorkflowNode>();
        var rest = new HashMap<WorkflowNode, ArrayDeque<Edge>>();
        path.push(root);
        while (!path.isEmpty()) {
            var node = path.peek();
            onPath.add(node);
            // The last output first, so that the finished nodes, reversed, have the order of the outputs.
            var edges = rest.computeIfAbsent(
                    node, _ -> new ArrayDeque<>(workflow.edgesFrom(node).reversed()));
            var edge = edges.poll();
            if (edge == null) {
                path.pop();
                onPath.remove(node);
                finished.add(node);
            } else if (onPath.contains(edge.to())) {
                (isLoop.test(edge.to()) ? loopEnds : cuts).add(edge);
            } else {
                outgoing.computeIfAbsent(node, _ -> new ArrayList<>()).addFirst(edge);
                if (entered.add(edge.to())) {
                    path.push(edge.to());
                }
            }
        }
    }

    /** Immediate dominators by the algorithm of Cooper, Harvey and Kennedy; one pass suffices without cycles. */
    private void dominate() {
        for (var node : order) {
            WorkflowNode common = null;
            var isFirst = true;
            for (var edge : edgesTo(node)) {
                common = isFirst ? edge.from() : intersection(common, edge.from());
                isFirst = false;
            }
            if (!isFirst && common != null && !roots.contains(node)) {
                dominators.put(node, common);
            }
        }
    }

    /** The nearest node on both paths to the roots; null if they have none in common. */
    private WorkflowNode intersection(WorkflowNode one, WorkflowNode other) {
        var left = one;
        var right = other;
        while (left != null && right != null && !left.equals(right)) {
            if (positions.get(left) > positions.get(right)) {
                left = dominators.get(left);
            } else {
                right = dominators.get(right);
            }
        }
        return left == null || right == null ? null : left;
    }

    /** Reachable nodes, each after all nodes that lead to it. */
    public List<WorkflowNode> nodes() {
        return List.copyOf(order);
    }

    public boolean contains(WorkflowNode node) {
        return positions.containsKey(node);
    }

    public List<Edge> edgesFrom(WorkflowNode node) {
        return outgoing.getOrDefault(node, List.of());
    }

    public List<Edge> edgesTo(WorkflowNode node) {
        return incoming.getOrDefault(node, List.of());
    }

    /** Connections that end an iteration of this loop node. */
    public List<Edge> loopEndsTo(WorkflowNode loop) {
        return loopEnds.stream().filter(edge -> edge.to().equals(loop)).toList();
    }

    public List<Edge> cuts() {
        return List.copyOf(cuts);
    }

    /** The nearest node on every path to this one; null if there is none. */
    public WorkflowNode dominatorOf(WorkflowNode node) {
        return dominators.get(node);
    }

    /** Nodes that are placed directly below this one, in execution order; null for those without a dominator. */
    public List<WorkflowNode> dominatedBy(WorkflowNode node) {
        return order.stream()
                .filter(other -> !roots.contains(other) && Objects.equals(dominators.get(other), node))
                .toList();
    }

    /**
     * True if every execution of a node also executes another one.
     *
     * @param outputs number of outputs of a node that selects one of them; 1 for all other nodes
     */
    public boolean alwaysReaches(WorkflowNode from, WorkflowNode target, ToIntFunction<WorkflowNode> outputs) {
        var reaching = new HashSet<WorkflowNode>();
        reaching.add(target);
        for (var position = positions.get(target) - 1; position >= positions.get(from); position--) {
            var node = order.get(position);
            var edges = edgesFrom(node);
            var count = outputs.applyAsInt(node);
            var reaches = count <= 1
                    ? edges.stream().anyMatch(edge -> reaching.contains(edge.to()))
                    : IntStream.range(0, count)
                            .allMatch(output -> edges.stream()
                                    .anyMatch(edge -> edge.output() == output && reaching.contains(edge.to())));
            if (reaches) {
                reaching.add(node);
            }
        }
        return reaching.contains(from);
    }
}
