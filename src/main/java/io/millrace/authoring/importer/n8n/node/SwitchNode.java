package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import java.util.ArrayList;
import java.util.List;

final class SwitchNode implements NodeMapping {
    private static final int OUTPUTS_MAX = 50;

    @Override
    public int selectingOutputs(WorkflowNode node) {
        return Math.max(2, Math.max(rules(node).size(), fallback(node) + 1));
    }

    private static List<JsonNode> rules(WorkflowNode node) {
        var rules = new ArrayList<JsonNode>();
        var holder = node.parameter("rules");
        for (var name : List.of("values", "rules")) {
            if (holder.path(name).isArray()) {
                holder.path(name).forEach(rules::add);
            }
        }
        if (rules.isEmpty() && node.text("mode").equals("expression")) {
            var count = Math.clamp(
                    node.parameter("numberOutputs")
                            .asInt(node.parameter("outputsAmount").asInt(4)),
                    1,
                    OUTPUTS_MAX);
            for (var index = 0; index < count; index++) {
                rules.add(MissingNode.getInstance());
            }
        }
        return rules.size() > OUTPUTS_MAX ? rules.subList(0, OUTPUTS_MAX) : rules;
    }

    /** Output for items that meet no rule; -1 if there is none. */
    private static int fallback(WorkflowNode node) {
        var raw = node.version() >= 3 ? node.parameter("options.fallbackOutput") : node.parameter("fallbackOutput");
        if (raw.asText().equals("extra")) {
            return rules(node).size();
        }
        var output = raw.isNumber() || raw.asText().matches("\\d{1,2}") ? raw.asInt() : -1;
        return output <= OUTPUTS_MAX ? output : -1;
    }

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var rules = rules(node);
        var scripts = new ArrayList<String>();
        var conditions = new Conditions(context, false);
        for (var index = 0; index < rules.size(); index++) {
            scripts.add(script(context, conditions, rules.get(index), index));
        }
        var sendsToAll = node.parameter("options.allMatchingOutputs").asBoolean(false);
        var router = context.router(!sendsToAll);
        var evaluations = router.name() + "['output']['branches']";
        for (var index = 0; index < rules.size(); index++) {
            var name = rules.get(index).path("outputKey").asText("");
            var earlier = index == 0 || sendsToAll
                    ? ""
                    : " && !" + evaluations + ".slice(0, " + index + ").some(b => b.evaluation)";
            context.branch(
                    router,
                    index,
                    Conditions.branch(name.isBlank() ? "Output " + index : name, scripts.get(index)),
                    "(" + evaluations + "[" + index + "].evaluation" + earlier + ")");
        }
        fallback(context, rules.size(), evaluations, router);
        context.output(context.input());
    }

    private static void fallback(NodeContext context, int rules, String evaluations, StepDraft router) {
        var output = fallback(context.node());
        var condition = evaluations + "[" + rules + "].evaluation";
        if (output >= rules) {
            context.branch(router, output, Conditions.fallback("Fallback"), condition);
            return;
        }
        router.addBranch(Conditions.fallback("Otherwise"), context.sequence().inner());
        if (output >= 0) {
            context.entry()
                    .byHand("items that meet no rule go to output " + output
                            + " in n8n; the branch \"Otherwise\" is empty");
        }
    }

    private static String script(NodeContext context, Conditions conditions, JsonNode rule, int index) {
        var node = context.node();
        if (rule.isMissingNode()) {
            return "(Number(" + context.parameters().operand(node.parameter("output")) + ") === " + index + ")";
        }
        if (rule.path("conditions").isObject()) {
            return conditions
                    .read(rule.path("conditions"), MissingNode.getInstance())
                    .script();
        }
        var type = node.text("dataType").isEmpty() ? "number" : node.text("dataType");
        var usual = type.equals("number") ? "smaller" : type.equals("dateTime") ? "after" : "equal";
        return conditions.script(
                type, rule.path("operation").asText(usual), node.parameter("value1"), rule.path("value2"), false);
    }
}
