package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.authoring.importer.n8n.expression.DataScope;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.Edge;
import io.millrace.authoring.importer.n8n.graph.NodeOrder;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.node.NodeMappings;
import io.millrace.authoring.importer.n8n.step.ItemLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Data that one node can read where its steps are placed. */
final class NodeScope implements DataScope {
    private static final int VIEW_LENGTH_MAX = 20_000;

    private final Workflow workflow;
    private final NodeOrder order;
    private final Map<WorkflowNode, NodePlace> places;
    private final WorkflowNode node;
    private final ItemLoop frame;
    private final View given;

    NodeScope(
            Workflow workflow,
            NodeOrder order,
            Map<WorkflowNode, NodePlace> places,
            WorkflowNode node,
            ItemLoop frame) {
        this(workflow, order, places, node, frame, null);
    }

    private NodeScope(
            Workflow workflow,
            NodeOrder order,
            Map<WorkflowNode, NodePlace> places,
            WorkflowNode node,
            ItemLoop frame,
            View given) {
        this.workflow = workflow;
        this.order = order;
        this.places = places;
        this.node = node;
        this.frame = frame;
        this.given = given;
    }

    NodeScope withInput(View view) {
        return new NodeScope(workflow, order, places, node, frame, view);
    }

    static String token(String script) {
        return ScriptTexts.token(script);
    }

    @Override
    public Optional<View> input() {
        return input(0);
    }

    /** The items of one input, from all connections to it. */
    Optional<View> input(int index) {
        if (given != null && index == 0) {
            return Optional.of(given);
        }
        var edges = order.edgesTo(node).stream()
                .filter(edge -> edge.input() == index && places.containsKey(edge.from()))
                .sorted(Comparator.comparingInt(
                                (Edge edge) -> places.get(edge.from()).number())
                        .reversed())
                .toList();
        var views = new ArrayList<View>();
        for (var edge : edges) {
            var view = viewOf(edge);
            if (view != null && views.stream().noneMatch(other -> other.equals(view))) {
                views.add(view);
            }
        }
        return together(views);
    }

    /** View of a connection; after a loop, the items that its iterations returned. */
    private View viewOf(Edge edge) {
        var place = places.get(edge.from());
        var returned = new ArrayList<View>();
        for (var end : order.loopEndsTo(edge.from())) {
            var last = places.get(end.from());
            var view = place.outcome().sequence(edge.output()) != null || last == null
                    ? null
                    : last.viewFrom(end.output(), frame);
            if (view != null && view.isList()) {
                returned.add(view);
            }
        }
        return returned.isEmpty()
                ? place.viewFrom(edge.output(), frame)
                : together(returned).orElseThrow();
    }

    private Optional<View> together(List<View> views) {
        if (views.size() <= 1) {
            return views.stream().findFirst();
        }
        var isList = views.stream().anyMatch(View::isList) || meetsWithoutChoice();
        var text = isList
                ? views.reversed().stream().map(NodeScope::spread).collect(Collectors.joining(", ", "[", "]"))
                : views.stream().map(view -> view.orNothing().whole()).collect(Collectors.joining(" ?? ", "(", ")"));
        if (text.length() > VIEW_LENGTH_MAX) {
            return Optional.of(views.getFirst());
        }
        return Optional.of(isList ? View.list(text) : View.one(text));
    }

    private static String spread(View view) {
        return spreadOptional(view.orNothing());
    }

    private static String spreadOptional(View view) {
        return view.isList() ? "...(" + view.json() + " ?? [])" : "...[" + view.whole() + "].filter(v => v != null)";
    }

    /** True if several connections lead to one input of the node and no node before selects between them. */
    boolean meetsWithoutChoice() {
        var edges = order.edgesTo(node);
        var hasMany = edges.stream().map(Edge::input).distinct().count() < edges.size();
        var selector = order.dominatorOf(node);
        return hasMany
                && (selector == null
                        || NodeMappings.of(selector).selectingOutputs(selector) <= 1
                                && !NodeMappings.of(selector).isLoop()
                                && !selector.hasErrorOutput());
    }

    /** Expression that is true if the output of a node was reached. */
    static String taken(NodePlace place, int output, ItemLoop reader) {
        var condition = place.outcome().condition(output);
        if (!ItemLoop.isWithin(reader, place.frame())) {
            var view = place.viewFrom(output, reader);
            return view == null ? "false" : "((" + view.items() + ")?.length > 0)";
        }
        var main = place.outcome().main();
        if (main == null) {
            return "true";
        }
        var isExecuted = "typeof " + main.name() + " !== 'undefined'";
        return condition == null ? "(" + isExecuted + ")" : "(" + isExecuted + " && " + condition + " === true)";
    }

    @Override
    public Optional<View> output(String name) {
        return place(name).map(place -> place.viewFrom(0, frame));
    }

    private Optional<NodePlace> place(String name) {
        return workflow.node(name).map(places::get);
    }

    /** The item of a list that belongs to the current iteration of a loop over that list. */
    @Override
    public Optional<View> pairedOutput(String name) {
        var view = output(name);
        if (view.isEmpty() || !view.get().isList()) {
            return view;
        }
        for (var loop = frame; loop != null; loop = loop.parent()) {
            if (loop.source().equals(view.get())) {
                return Optional.of(View.one(loop.item()));
            }
        }
        return frame == null
                ? Optional.of(View.one(view.get().json() + "[0]"))
                : Optional.of(View.one(view.get().json() + "[" + frame.index() + "]"));
    }

    @Override
    public boolean hasNode(String name) {
        return workflow.node(name).isPresent();
    }

    @Override
    public JsonNode parameters(String name) {
        return workflow.node(name).map(WorkflowNode::parameters).orElse(MissingNode.getInstance());
    }

    @Override
    public JsonNode ownParameters() {
        return node.parameters();
    }

    @Override
    public String itemIndex() {
        return frame == null || !frame.isImplicit() ? "0" : frame.index();
    }

    @Override
    public String runIndex() {
        return frame == null || frame.isImplicit() ? "0" : frame.index();
    }

    @Override
    public String workflowName() {
        return workflow.name();
    }

    @Override
    public String workflowId() {
        return workflow.json().path("id").asText("");
    }

    @Override
    public String previousNode() {
        return order.edgesTo(node).stream()
                .findFirst()
                .map(edge -> edge.from().name())
                .orElse("");
    }

    @Override
    public String ownName() {
        return node.name();
    }
}
