package io.millrace.authoring.importer.n8n.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Translation into JavaScript of a code step, whose prelude defines the names of n8n. */
final class CodeTarget implements ScriptTarget {
    private static final Set<String> RUNTIME =
            Set.of("$json", "$data", "$input", "$items", "$itemIndex", "$position", "$runIndex", "$item");

    private final DataScope scope;
    private final DataHeads constants;
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<String> variables = new LinkedHashSet<>();
    private final List<String> notes = new ArrayList<>();

    CodeTarget(DataScope scope) {
        this.scope = scope;
        constants = new DataHeads(scope, this);
    }

    @Override
    public Head head(String name, List<ScriptLink> links) {
        if (RUNTIME.contains(name)) {
            refuseFiles(links);
            if (name.equals("$items") && !links.isEmpty() && links.getFirst().isCall()) {
                links.getFirst().arguments().stream().findFirst().ifPresent(this::useNode);
            }
            return new Head(name, 0);
        }
        if (GlobalNames.LANGUAGE.contains(name) || GlobalNames.PRELUDE.contains(name)) {
            return new Head(name, 0);
        }
        return switch (name) {
            case "$" -> {
                refuseFiles(links);
                if (links.isEmpty()
                        || !links.getFirst().isCall()
                        || links.getFirst().arguments().isEmpty()) {
                    throw new ScriptProblem("expected the name of a node");
                }
                useNode(links.getFirst().arguments().getFirst());
                yield new Head("$", 0);
            }
            case "$node" -> {
                refuseFiles(links);
                if (links.isEmpty() || links.getFirst().name() == null) {
                    throw new ScriptProblem("the name of a node is computed");
                }
                use(links.getFirst().name());
                yield new Head("$node", 0);
            }
            case "$vars" -> {
                if (links.isEmpty() || links.getFirst().name() == null) {
                    throw new ScriptProblem("the name of a variable is computed");
                }
                variables.add(links.getFirst().name());
                yield new Head("$vars", 0);
            }
            case "$workflow", "$prevNode", "$parameter", "$rawParameter" ->
                constants.head(name, links).orElseThrow();
            default -> throw new ScriptProblem(GlobalNames.refusal(name));
        };
    }

    private static void refuseFiles(List<ScriptLink> links) {
        if (links.stream().limit(4).anyMatch(link -> link.isNamed("binary") && !link.isCall())) {
            throw new ScriptProblem(GlobalNames.refusal("$binary"));
        }
        if (links.size() > 1 && links.get(1).isNamed("context") && !links.get(1).isCall()) {
            throw new ScriptProblem("the state of another node (context) has no equivalent");
        }
    }

    private void useNode(String argument) {
        if (!argument.matches("(?s)'.*'|\".*\"|`[^$]*`")) {
            throw new ScriptProblem("the name of a node is computed");
        }
        use(ChainRewriter.unquoted(argument));
    }

    private void use(String node) {
        if (!scope.hasNode(node)) {
            throw new ScriptProblem("the workflow has no node \"" + node + "\"");
        }
        if (scope.output(node).isEmpty()) {
            throw new ScriptProblem("the node \"" + node + "\" is not executed before this one");
        }
        nodes.add(node);
    }

    @Override
    public String extension(String receiver, String method, List<String> arguments) {
        return "$ext(" + receiver + ", " + ScriptTexts.quoted(method)
                + (arguments.isEmpty() ? "" : ", " + String.join(", ", arguments)) + ")";
    }

    @Override
    public void note(String difference) {
        notes.add(difference);
    }

    Set<String> nodes() {
        return nodes;
    }

    Set<String> variables() {
        return variables;
    }

    List<String> notes() {
        return notes;
    }
}
