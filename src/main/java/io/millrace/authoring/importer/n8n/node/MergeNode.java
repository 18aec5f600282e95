package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;

/** Items of several inputs together. */
final class MergeNode implements NodeMapping {
    private static final int INPUTS_MAX = 10;

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
        var way = mode.equals("combine") ? (combined.isEmpty() ? "combineByFields" : combined) : mode;
        return switch (way) {
            case "", "append" -> "return lists.flat();";
            case "combineByPosition", "mergeByPosition", "mergeByIndex" ->
                "const length = " + (isOuter(node) ? "Math.max" : "Math.min")
                        + "(...lists.map((list) => list.length));\n"
                        + "return Array.from({ length }, (_, index) => Object.assign({}, ...lists.map((list) => list[index])));";
            case "combineAll", "multiplex" ->
                "return lists.reduce((pairs, list) => pairs.flatMap((one) => list.map((other) => ({ ...one, ...other }))), [{}]);";
            case "combineByFields", "mergeByFields", "mergeByKey", "keepKeyMatches", "removeKeyMatches" ->
                byFields(context, way);
            case "chooseBranch", "passThrough", "wait" -> {
                var chosen = node.text("useDataOfInput") + node.text("output");
                yield "return lists[" + (chosen.contains("2") ? 1 : 0) + "];";
            }
            default -> {
                context.entry().byHand("the mode \"" + way + "\" of Merge has no equivalent: the inputs are appended");
                yield "return lists.flat();";
            }
        };
    }

    private static boolean isOuter(WorkflowNode node) {
        return node.parameter("options.includeUnpaired").asBoolean(false)
                || node.text("join").equals("outer");
    }

    private static String byFields(NodeContext context, String way) {
        var node = context.node();
        var pairs = new ArrayList<String>();
        for (var pair : node.parameter("mergeByFields.values")) {
            pairs.add("[" + context.script(pair.path("field1")) + ", " + context.script(pair.path("field2")) + "]");
        }
        for (var name : node.text("fieldsToMatchString").split(",")) {
            if (!name.isBlank()) {
                var quoted = ScriptTexts.quoted(name.strip());
                pairs.add("[" + quoted + ", " + quoted + "]");
            }
        }
        if (!node.text("propertyName1").isEmpty()) {
            pairs.add("[" + context.script("propertyName1") + ", " + context.script("propertyName2") + "]");
        }
        var join = switch (way) {
            case "keepKeyMatches" -> "keepMatches";
            case "removeKeyMatches" -> "keepNonMatches";
            case "mergeByKey" -> "enrichInput1";
            default -> node.text("joinMode").isEmpty() ? "keepMatches" : node.text("joinMode");
        };
        return "const pairs = [" + String.join(", ", pairs) + "];\n" + """
            const same = (one, other) => pairs.every(([left, right]) => {
              const value = $get(one, left);
              return value !== undefined && String(value) === String($get(other, right));
            });
            const [first, second = []] = lists;
            const matches = first.flatMap((one) => second.filter((other) => same(one, other)).map((other) => ({ ...one, ...other })));
            const left = first.filter((one) => !second.some((other) => same(one, other)));
            const right = second.filter((other) => !first.some((one) => same(one, other)));
            const enriched = first.flatMap((one) => {
              const found = second.filter((other) => same(one, other));
              return found.length === 0 ? [one] : found.map((other) => ({ ...one, ...other }));
            });
            """
                + switch (join) {
                    case "keepNonMatches" -> "return [...left, ...right];";
                    case "keepEverything" -> "return [...matches, ...left, ...right];";
                    case "enrichInput1" -> "return enriched;";
                    case "enrichInput2" -> "return [...matches, ...right];";
                    default -> "return matches;";
                };
    }
}
