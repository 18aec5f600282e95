package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Code, Function and Function Item: the code of the author between a prelude and an adapter for items. */
final class CodeNodes implements NodeMapping {
    /** The name of a node in quotes ends at the first quote, so that no part of the code is searched twice. */
    private static final Pattern NODE = Pattern.compile("\\$\\(\\s*" + quoted(1) + "\\s*\\)|\\$node\\s*\\[\\s*"
            + quoted(3) + "\\s*\\]|\\$items\\(\\s*" + quoted(5));

    private static final Pattern VARIABLE = Pattern.compile("\\$vars\\.(\\w+)");
    private static final Pattern BEYOND = Pattern.compile(
            "\\brequire\\s*\\(|this\\.helpers|\\$helpers|\\$getWorkflowStaticData|getWorkflowStaticData|\\$env\\b|\\$secrets\\b|"
                    + "\\.binary\\b|\\$binary\\b|\\bBuffer\\b|\\$execution\\b|this\\.getNodeParameter|\\$evaluateExpression|\\bfetch\\s*\\(");

    /**
     * A name in quotes, limited because the JDK matches each character in further frames of the stack.
     *
     * @param group number of the group that holds the opening quote; the name is the next one
     */
    private static String quoted(int group) {
        return "(['\"`])((?:\\\\.|(?!\\" + group + ")[^\\\\\\r\\n]){0,300}+)\\" + group;
    }

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

    static List<String> nodesIn(String code) {
        return NODE.matcher(code)
                .results()
                .map(found -> found.group(2) != null
                        ? found.group(2)
                        : found.group(4) != null ? found.group(4) : found.group(6))
                .toList();
    }

    private static void readNames(NodeContext context, String code) {
        nodesIn(code).forEach(context.parameters()::readInCode);
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
