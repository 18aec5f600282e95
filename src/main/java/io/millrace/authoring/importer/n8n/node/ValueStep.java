package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.TranslatedExpression;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.step.Prelude;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Code step in front of a step that computes values which expressions of this server cannot. */
final class ValueStep {
    /** Names of n8n that a function of a generated code step receives. */
    static final String NAMES =
            "{ $json, $data, $input, $, $node, $items, $item, $itemIndex, $position, $runIndex, $vars, items, item }";

    private final String name;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<String> variables = new LinkedHashSet<>();

    ValueStep(String name) {
        this.name = name;
    }

    /** Adds a value and returns the expression of its result. */
    String add(TranslatedExpression value) {
        var key = "v" + (values.size() + 1);
        values.put(key, value.script());
        nodes.addAll(value.nodes());
        variables.addAll(value.variables());
        return name + "['output']['" + key + "']";
    }

    StepDraft draft(String displayName, String timezone, View input, Function<String, View> outputOf) {
        var body = new StringBuilder(
                "export const code = async (inputs) => {\n  const " + NAMES + " = $scope(inputs).at(0);\n  return {\n");
        values.forEach((key, script) -> body.append("    ")
                .append(key)
                .append(": $try(() => ")
                .append(script)
                .append("),\n"));
        body.append("  };\n};\n");
        return StepDraft.code(
                name,
                displayName,
                Prelude.before(body.toString(), timezone),
                inputs(input, nodes, variables, outputOf));
    }

    static ObjectNode inputs(View input, Set<String> nodes, Set<String> variables, Function<String, View> outputOf) {
        var inputs = Json.object();
        if (input != null) {
            inputs.put("items", NodeContext.token(input.items()));
        }
        if (!nodes.isEmpty()) {
            var ofNodes = inputs.putObject("nodes");
            nodes.forEach(node ->
                    ofNodes.put(node, NodeContext.token(outputOf.apply(node).items())));
        }
        if (!variables.isEmpty()) {
            var ofVariables = inputs.putObject("vars");
            variables.forEach(variable -> ofVariables.put(variable, "{{variables['" + variable + "']}}"));
        }
        return inputs;
    }
}
