package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

/** If, Switch, Merge, Loop Over Items, No Operation, Stop and Error. */
final class ControlNodes {
    private ControlNodes() {}

    /** Two outputs: true and false. */
    static final class If implements NodeMapping {
        @Override
        public int selectingOutputs(WorkflowNode node) {
            return 2;
        }

        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var group = new Conditions(context, false)
                    .read(node.parameter("conditions"), node.parameter("combineOperation"));
            var script = group.script();
            var router = context.router(true);
            var evaluation = router.name() + "['output']['branches']";
            context.branch(router, 0, Conditions.branch("true", script), evaluation + "[0].evaluation");
            context.branch(router, 1, Conditions.fallback("false"), evaluation + "[1].evaluation");
            context.output(context.input());
        }
    }

    /** One output for items that meet a condition. */
    static final class Filter implements NodeMapping {
        @Override
        public Level level(WorkflowNode node) {
            return Level.LIST;
        }

        @Override
        public int selectingOutputs(WorkflowNode node) {
            return 2;
        }

        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var isList = context.hasManyItems();
            var group = new Conditions(context, isList)
                    .read(node.parameter("conditions"), node.parameter("combineConditions"));
            if (isList) {
                var step = context.code("const scope = $scope(inputs);\nreturn scope.items.filter((_, index) => (("
                        + ValueStep.NAMES + ") => " + group.script() + ")(scope.at(index))).map((item) => item.json);");
                context.output(View.ofStep(step.name(), true));
                return;
            }
            var script = group.script();
            var router = context.router(true);
            context.branch(
                    router,
                    0,
                    Conditions.branch("kept", script),
                    router.name() + "['output']['branches'][0].evaluation");
            router.addBranch(
                    Conditions.fallback("discarded"), context.sequence().inner());
            context.output(context.input());
        }
    }

    /** Up to many outputs, selected by rules or by a number. */
    static final class Switch implements NodeMapping {
        private static final int OUTPUTS_MAX = 50;

        @Override
        public int selectingOutputs(WorkflowNode node) {
            return Math.max(
                    2, rules(node).size() + (fallback(node) == rules(node).size() ? 1 : 0));
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
            return raw.isNumber() || raw.asText().matches("\\d{1,2}") ? raw.asInt() : -1;
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
            if (output == rules) {
                context.branch(router, output, Conditions.fallback("Fallback"), condition);
                return;
            }
            router.addBranch(
                    Conditions.fallback("Otherwise"), context.sequence().inner());
            if (output >= 0) {
                context.entry()
                        .byHand("items that meet no rule go to output " + output
                                + " in n8n; the branch \"Otherwise\" is empty");
            }
        }

        private static String script(NodeContext context, Conditions conditions, JsonNode rule, int index) {
            var node = context.node();
            if (rule.isMissingNode()) {
                return "(Number(" + context.operand(node.parameter("output")) + ") === " + index + ")";
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

    /** Items of several inputs together. */
    static final class Merge implements NodeMapping {
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
                    context.entry()
                            .byHand("the mode \"" + way + "\" of Merge has no equivalent: the inputs are appended");
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

    /** Batches of items: the nodes behind one output run for each, the others after all. */
    static final class SplitInBatches implements NodeMapping {
        @Override
        public Level level(WorkflowNode node) {
            return Level.LIST;
        }

        @Override
        public boolean isLoop() {
            return true;
        }

        /** Output whose nodes run for each batch. */
        static int bodyOutput(WorkflowNode node) {
            return node.version() >= 3 ? 1 : 0;
        }

        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var input = context.input();
            var usual = node.version() >= 3 ? 1 : 10;
            var raw = node.parameter("batchSize");
            var size = raw.isMissingNode() ? usual : raw.asInt(0);
            var body = bodyOutput(node);
            if (size == 1) {
                var loop = context.loop(input.items(), input, body);
                context.output(body, View.one(loop.frame().item()));
            } else {
                var script =
                        raw.isMissingNode() || raw.isNumber() ? String.valueOf(Math.max(1, size)) : context.script(raw);
                var batches = context.code(
                        "const list = $scope(inputs).items.map((item) => item.json);\nconst size = Math.max(1, Number("
                                + script
                                + ") || 1);\nreturn Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));");
                var loop = context.loop(batches.name() + "['output']", input, body);
                context.output(body, View.list(loop.frame().item()));
            }
            if (node.parameter("options.reset").asBoolean(false)) {
                context.entry().near("the option Reset has no equivalent: the loop reads its items once");
            }
            context.output(input);
        }
    }

    /** Passes items on; needs no step. */
    static final class NoOperation implements NodeMapping {
        @Override
        public Level level(WorkflowNode node) {
            return Level.ANY;
        }

        @Override
        public void translate(NodeContext context) {
            context.output(context.input());
        }
    }

    /** Ends the run with an error. */
    static final class StopAndError implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var isObject = node.text("errorType").equals("errorObject");
            var message = context.value(isObject ? "errorObject" : "errorMessage");
            var input = Json.object();
            input.set("message", message);
            context.code(
                    "throw new Error(typeof inputs.message === 'string' ? inputs.message : JSON.stringify(inputs.message));",
                    input);
        }
    }
}
