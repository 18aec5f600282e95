package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;

final class ControlNodes {
    private ControlNodes() {}

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

    /** Batches of items: the nodes after one output run for each item, the others after all items. */
    static final class SplitInBatches implements NodeMapping {
        @Override
        public Level level(WorkflowNode node) {
            return Level.LIST;
        }

        @Override
        public boolean isLoop() {
            return true;
        }

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
                var script = raw.isMissingNode() || raw.isNumber()
                        ? String.valueOf(Math.max(1, size))
                        : context.parameters().script(raw);
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

    static final class StopAndError implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var isObject = node.text("errorType").equals("errorObject");
            var message = context.parameters().value(isObject ? "errorObject" : "errorMessage");
            var input = Json.object();
            input.set("message", message);
            context.code(
                    "throw new Error(typeof inputs.message === 'string' ? inputs.message : JSON.stringify(inputs.message));",
                    input);
        }
    }
}
