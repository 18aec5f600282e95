package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

final class MergeNode implements NodeMapping {
    private static final int INPUTS_MAX = 10;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final String EMPTY_ITEM = "return [{}];";

    @Override
    public Level level(WorkflowNode node) {
        return Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        var inputs = Json.array();
        for (var index = 0; index < INPUTS_MAX; index++) {
            var input = context.input(index);
            if (input.isPresent() || index < 2) {
                inputs.add(input.map(View::items).map(NodeContext::token).orElse("{{[]}}"));
            }
        }
        var more = Json.object();
        more.set("inputs", inputs);
        var step = context.code(
                "const lists = inputs.inputs.map((list) => $wrap(list).map((item) => item.json));\n"
                        + statements(context),
                more);
        context.output(View.ofStep(step.name(), true));
    }

    private static String statements(NodeContext context) {
        var node = context.node();
        var mode = node.text("mode");
        var combined = node.text("combineBy").isEmpty() ? node.text("combinationMode") : node.text("combineBy");
        if (mode.equals("combine")) {
            return combination(context, combined);
        }
        return switch (mode) {
            case "", "append" -> "return lists.flat();";
            case "mergeByIndex" -> byIndex(node.text("join"));
            case "multiplex" -> "return $multiplied(lists, { mergeMode: 'shallowMerge' });";
            case "mergeByKey", "keepKeyMatches", "removeKeyMatches" ->
                "return $keyed(lists, " + ScriptTexts.quoted(mode) + ", ["
                        + context.parameters().script("propertyName1") + ", "
                        + context.parameters().script("propertyName2") + "], "
                        + ScriptTexts.quoted(node.text("overwrite").isEmpty() ? "always" : node.text("overwrite"))
                        + ");";
            case "wait" -> EMPTY_ITEM;
            case "chooseBranch", "passThrough" -> chosen(node);
            default -> unknown(context, mode);
        };
    }

    private static String unknown(NodeContext context, String mode) {
        context.entry().byHand("the mode \"" + mode + "\" of Merge has no equivalent: the inputs are appended");
        return "return lists.flat();";
    }

    private static String combination(NodeContext context, String way) {
        var node = context.node();
        return switch (way) {
            case "", "combineByFields", "mergeByFields" -> byFields(context);
            case "combineByPosition", "mergeByPosition" ->
                "return $aligned(lists, " + clash(node) + ", "
                        + node.parameter("options.includeUnpaired").asBoolean(false) + ");";
            case "combineAll", "multiplex" -> "return $multiplied(lists, " + clash(node) + ");";
            default -> unknown(context, way);
        };
    }

    /** Version 1: each item of the first input has the fields of the second one unless the join says otherwise. */
    private static String byIndex(String join) {
        var length = switch (join) {
            case "inner" -> "Math.min(lists[0].length, lists[1].length)";
            case "outer" -> "Math.max(lists[0].length, lists[1].length)";
            default -> "lists[0].length";
        };
        return "return Array.from({ length: " + length
                + " }, (_, index) => ({ ...lists[0][index], ...lists[1][index] }));";
    }

    private static String chosen(WorkflowNode node) {
        if (node.text("output").equals("empty")) {
            return EMPTY_ITEM;
        }
        var number = NUMBER.matcher(node.text("useDataOfInput") + " " + node.text("output"));
        return "return lists[" + (number.find() ? Math.clamp(Long.parseLong(number.group()), 1, INPUTS_MAX) - 1 : 0)
                + "] ?? [];";
    }

    private static String clash(WorkflowNode node) {
        var given = node.parameter("options.clashHandling.values");
        var clash = Json.object();
        for (var name : List.of("resolveClash", "mergeMode")) {
            if (given.path(name).isTextual()) {
                clash.set(name, given.path(name));
            }
        }
        if (given.path("overrideEmpty").asBoolean(false)) {
            clash.put("overrideEmpty", true);
        }
        return Json.text(clash);
    }

    private static String byFields(NodeContext context) {
        var node = context.node();
        var pairs = new ArrayList<String>();
        for (var pair : node.parameter("mergeByFields.values")) {
            pairs.add("[" + context.parameters().script(pair.path("field1")) + ", "
                    + context.parameters().script(pair.path("field2")) + "]");
        }
        for (var name : node.text("fieldsToMatchString").split(",")) {
            if (!name.isBlank()) {
                var quoted = ScriptTexts.quoted(name.strip());
                pairs.add("[" + quoted + ", " + quoted + "]");
            }
        }
        var join = node.text("joinMode").isEmpty() ? "keepMatches" : node.text("joinMode");
        var from = node.text("outputDataFrom").isEmpty() ? "both" : node.text("outputDataFrom");
        return "return $joined(lists, [" + String.join(", ", pairs) + "], " + ScriptTexts.quoted(join) + ", { from: "
                + ScriptTexts.quoted(from) + ", clash: " + clash(node) + ", isFirst: "
                + node.text("options.multipleMatches").equals("first") + ", isFlat: "
                + node.parameter("options.disableDotNotation").asBoolean(false) + ", isFuzzy: "
                + node.parameter("options.fuzzyCompare").asBoolean(false) + " });";
    }
}
