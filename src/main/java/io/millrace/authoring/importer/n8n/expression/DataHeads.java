package io.millrace.authoring.importer.n8n.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTarget.Head;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Optional;

/** Translates the names under which n8n offers data of nodes into expressions over steps. */
final class DataHeads {
    /** Longest parameter with several values that becomes part of an expression. */
    private static final int PARAMETER_MAX = 2_000;

    private final DataScope scope;
    private final ScriptTarget target;

    DataHeads(DataScope scope, ScriptTarget target) {
        this.scope = scope;
        this.target = target;
    }

    Optional<Head> head(String name, List<ScriptLink> links) {
        return switch (name) {
            case "$json", "$data" -> Optional.of(json(input(), links, 0));
            case "$input" -> Optional.of(input(links));
            case "$node" -> Optional.of(node(links));
            case "$" -> Optional.of(selected(links));
            case "$items" -> Optional.of(items(links));
            case "$item" -> Optional.of(numbered(links));
            case "$itemIndex", "$position" -> Optional.of(new Head(scope.itemIndex(), 0));
            case "$runIndex" -> Optional.of(new Head(scope.runIndex(), 0));
            case "$workflow" -> Optional.of(workflow(links));
            case "$prevNode" -> Optional.of(previous(links));
            case "$parameter", "$rawParameter" -> Optional.of(parameter(scope.ownParameters(), links, 0));
            default -> Optional.empty();
        };
    }

    private View input() {
        return scope.input().orElseThrow(() -> new ScriptProblem("a trigger has no input item"));
    }

    private static Head json(View view, List<ScriptLink> links, int consumed) {
        if (view.isList()) {
            return new Head(view.item(), consumed);
        }
        if (consumed < links.size() && links.get(consumed).name() != null) {
            var field = view.fields().get(links.get(consumed).name());
            return field == null ? new Head(view.json(), consumed) : new Head(field, consumed + 1);
        }
        return new Head(view.whole(), consumed);
    }

    private Head input(List<ScriptLink> links) {
        var first = linkAt(links, 0);
        if (first.isNamed("item")) {
            return item(input(), links, 1);
        }
        if (first.isNamed("params")) {
            return parameter(scope.ownParameters(), links, 1);
        }
        return collection(input(), links, 0);
    }

    /** {@code first()}, {@code last()} or {@code all()} at a position. */
    private Head collection(View view, List<ScriptLink> links, int at) {
        var name = linkAt(links, at).name();
        if (!linkAt(links, at + 1).isCall() || name == null) {
            throw new ScriptProblem("expected item, first(), last() or all() of a node's items");
        }
        return switch (name) {
            case "first" -> item(view, links, at + 2);
            case "last" ->
                view.isList() ? item(View.one(view.json() + ".at(-1)"), links, at + 2) : item(view, links, at + 2);
            case "all" -> all(view, links, at + 2);
            case "itemMatching", "pairedItem" -> {
                target.note("items are matched by their position");
                yield view.isList()
                        ? item(View.one(view.json() + "[" + argument(links.get(at + 1)) + "]"), links, at + 2)
                        : item(view, links, at + 2);
            }
            default -> throw new ScriptProblem("the method " + name + " of a node's items is unknown");
        };
    }

    private static String argument(ScriptLink call) {
        return call.arguments().isEmpty() ? "0" : call.arguments().getFirst();
    }

    /** {@code all()}, with a direct path if one item is selected at once. */
    private static Head all(View view, List<ScriptLink> links, int at) {
        var isDirect = at + 1 < links.size()
                && links.get(at).name() != null
                && links.get(at).name().matches("\\d+")
                && links.get(at + 1).isNamed("json");
        if (isDirect && !view.isList() && links.get(at).name().equals("0")) {
            return json(view, links, at + 2);
        }
        return isDirect
                ? new Head(view.items() + "[" + links.get(at).name() + "]", at + 2)
                : new Head(view.items() + ".map(v => ({ json: v }))", at);
    }

    /** An item: its JSON; files of items have no equivalent. */
    private Head item(View view, List<ScriptLink> links, int at) {
        if (at < links.size() && links.get(at).isNamed("json")) {
            return json(view, links, at + 1);
        }
        if (at < links.size() && links.get(at).isNamed("binary")) {
            throw new ScriptProblem("the file data of an item ($binary) has no equivalent");
        }
        if (at < links.size() && links.get(at).name() != null) {
            throw new ScriptProblem("the field " + links.get(at).name() + " of an item is unknown");
        }
        return new Head("({ json: " + view.item() + " })", at);
    }

    private View output(String node) {
        if (!scope.hasNode(node)) {
            throw new ScriptProblem("the workflow has no node \"" + node + "\"");
        }
        return scope.output(node)
                .orElseThrow(() -> new ScriptProblem("the node \"" + node + "\" is not executed before this one"));
    }

    private View pairedOutput(String node) {
        var all = output(node);
        return scope.pairedOutput(node).orElse(all);
    }

    private Head node(List<ScriptLink> links) {
        var name = linkAt(links, 0).name();
        if (name == null) {
            throw new ScriptProblem("the name of a node is computed");
        }
        return ofNode(name, links, 1);
    }

    private Head ofNode(String name, List<ScriptLink> links, int at) {
        var member = linkAt(links, at).name();
        return switch (member == null ? "" : member) {
            case "json", "data" -> json(pairedOutput(name), links, at + 1);
            case "item" -> item(pairedOutput(name), links, at + 1);
            case "params", "parameter" -> parameter(scope.parameters(name), links, at + 1);
            case "binary" -> throw new ScriptProblem("the file data of an item ($binary) has no equivalent");
            case "isExecuted" -> new Head("(" + output(name).orNothing().whole() + " != null)", at + 1);
            case "first", "last", "all", "itemMatching", "pairedItem" -> {
                var isPaired = member.equals("itemMatching") || member.equals("pairedItem");
                yield collection(isPaired ? pairedOutput(name) : output(name), links, at);
            }
            default -> throw new ScriptProblem("the member \"" + member + "\" of a node is unknown");
        };
    }

    private Head selected(List<ScriptLink> links) {
        return ofNode(nodeName(linkAt(links, 0)), links, 1);
    }

    private static String nodeName(ScriptLink call) {
        if (!call.isCall() || call.arguments().isEmpty()) {
            throw new ScriptProblem("expected the name of a node");
        }
        var argument = call.arguments().getFirst();
        if (!argument.matches("(?s)'.*'|\".*\"|`[^$]*`")) {
            throw new ScriptProblem("the name of a node is computed");
        }
        return ChainRewriter.unquoted(argument);
    }

    private Head items(List<ScriptLink> links) {
        var call = linkAt(links, 0);
        if (!call.isCall()) {
            throw new ScriptProblem("expected $items to be called");
        }
        return all(call.arguments().isEmpty() ? input() : output(nodeName(call)), links, 1);
    }

    /** {@code $item(0).$node["x"].json}. */
    private Head numbered(List<ScriptLink> links) {
        if (!linkAt(links, 0).isCall()
                || !linkAt(links, 1).isNamed("$node")
                || linkAt(links, 2).name() == null) {
            throw new ScriptProblem("expected $item(number).$node[\"name\"]");
        }
        var view = output(linkAt(links, 2).name());
        var chosen = view.isList() ? View.one(view.json() + "[" + argument(links.getFirst()) + "]") : view;
        return item(chosen, links, 3);
    }

    private Head workflow(List<ScriptLink> links) {
        return switch (String.valueOf(linkAt(links, 0).name())) {
            case "name" -> new Head(ScriptTexts.quoted(scope.workflowName()), 1);
            case "id" -> {
                target.note("$workflow.id is the id that the workflow had in n8n");
                yield new Head(ScriptTexts.quoted(scope.workflowId()), 1);
            }
            case "active" -> new Head("true", 1);
            default -> throw new ScriptProblem("expected $workflow.name, id or active");
        };
    }

    private Head previous(List<ScriptLink> links) {
        return switch (String.valueOf(linkAt(links, 0).name())) {
            case "name" -> new Head(ScriptTexts.quoted(scope.previousNode()), 1);
            case "outputIndex", "runIndex" -> {
                target.note("$prevNode.outputIndex is 0");
                yield new Head("0", 1);
            }
            default -> throw new ScriptProblem("expected $prevNode.name");
        };
    }

    private static Head parameter(JsonNode parameters, List<ScriptLink> links, int start) {
        var value = parameters;
        var at = start;
        while (at < links.size() && links.get(at).name() != null && value.isContainerNode()) {
            value = value.isArray() && links.get(at).name().matches("\\d{1,6}")
                    ? value.path(Integer.parseInt(links.get(at).name()))
                    : value.path(links.get(at).name());
            at++;
        }
        if (value.isTextual() && value.textValue().startsWith("=")) {
            throw new ScriptProblem("it reads a parameter that is an expression itself");
        }
        if (value.isMissingNode()) {
            return new Head("undefined", at);
        }
        if (value.isContainerNode()) {
            var text = Json.text(value);
            if (text.contains("\"=") || text.length() > PARAMETER_MAX) {
                throw new ScriptProblem("it reads a parameter that contains expressions or is too long");
            }
            return new Head("(" + text + ")", at);
        }
        return new Head(value instanceof TextNode text ? ScriptTexts.quoted(text.textValue()) : value.asText(), at);
    }

    private static ScriptLink linkAt(List<ScriptLink> links, int index) {
        return index < links.size() ? links.get(index) : new ScriptLink(null, "", null);
    }
}
