package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.Locale;
import java.util.regex.Pattern;

/** Code, Function and Function Item: the code of the author between a prelude and an adapter for items. */
final class CodeNodes implements NodeMapping {
    private static final Pattern NODE = Pattern.compile(
            "\\$\\(\\s*(['\"`])(.*?)\\1\\s*\\)|\\$node\\s*\\[\\s*(['\"`])(.*?)\\3\\s*\\]|\\$items\\(\\s*(['\"`])(.*?)\\5");
    private static final Pattern VARIABLE = Pattern.compile("\\$vars\\.(\\w+)");
    private static final Pattern BEYOND = Pattern.compile(
            "\\brequire\\s*\\(|this\\.helpers|\\$helpers|\\$getWorkflowStaticData|getWorkflowStaticData|\\$env\\b|\\$secrets\\b|"
                    + "\\.binary\\b|\\$binary\\b|\\bBuffer\\b|\\$execution\\b|this\\.getNodeParameter|\\$evaluateExpression|\\bfetch\\s*\\(");

    @Override
    public Level level(WorkflowNode node) {
        return Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var language = node.text("language");
        if (!language.isEmpty() && !language.toLowerCase(Locale.ROOT).startsWith("javascript")) {
            GapStep.add(context, "the code is " + language + ": only JavaScript is translated");
            return;
        }
        var code = node.text("jsCode").isEmpty() ? node.text("functionCode") : node.text("jsCode");
        if (code.isBlank()) {
            code = "return items;";
        }
        var isEach = node.kind().equals("functionitem") || node.text("mode").equals("runOnceForEachItem");
        var isOld = node.kind().equals("functionitem");
        readNames(context, code);
        var names = names(context);
        var returnsMany = isEach ? context.hasManyItems() : true;
        var step = context.code("const scope = $scope(inputs);\n"
                // The code may declare names of the parameters again.
                + "const author = async " + names + " => (async () => {\n" + code + "\n})();\n"
                + (isEach
                        ? "const results = [];\nfor (let index = 0; index < scope.items.length; index++) {\n"
                                + "  results.push(...$results(await author(" + argument(isOld) + ")));\n}\n"
                                + (returnsMany ? "return results;" : "return results[0];")
                        : "return $results(await author(" + argument(false).replace("index", "0") + "));"));
        context.output(View.ofStep(step.name(), returnsMany));
    }

    private static String argument(boolean isOld) {
        return isOld ? "{ ...scope.at(index), item: scope.items[index].json }" : "scope.at(index)";
    }

    private static String names(NodeContext context) {
        var workflow =
                "$workflow = { name: " + ScriptTexts.quoted(context.workflow().name()) + ", active: true }";
        return "(" + ValueStep.NAMES.replace(" }", ", " + workflow + " }") + ")";
    }

    private static void readNames(NodeContext context, String code) {
        var nodes = NODE.matcher(code);
        while (nodes.find()) {
            var name =
                    nodes.group(2) != null ? nodes.group(2) : nodes.group(4) != null ? nodes.group(4) : nodes.group(6);
            context.parameters().readInCode(name);
        }
        var variables = VARIABLE.matcher(code);
        while (variables.find()) {
            context.parameters().readVariableInCode(variables.group(1));
        }
        var beyond = BEYOND.matcher(code);
        while (beyond.find()) {
            context.entry()
                    .byHand("the code uses \"" + beyond.group().strip()
                            + "\", which code steps of this server do not offer");
        }
    }
}
