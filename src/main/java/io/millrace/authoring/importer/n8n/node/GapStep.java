package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;

/** Disabled step that keeps the parameters of a node without an equivalent as text. */
final class GapStep {
    private static final int PARAMETERS_MAX = 100_000;
    private static final int DEPTH_MAX = 100;

    private GapStep() {}

    static void add(NodeContext context, String gap) {
        context.entry().byHand(gap);
        var node = context.node();
        var parameters = Json.text(node.parameterObject());
        var kept = CutText.of(parameters, PARAMETERS_MAX);
        if (kept.length() < parameters.length()) {
            context.entry()
                    .byHand("the parameters are longer than " + PARAMETERS_MAX + " characters and were shortened");
        }
        var input = Json.object()
                .put("type", ScriptTexts.literal(node.type()))
                .put("typeVersion", node.version())
                .put("parameters", ScriptTexts.literal(kept));
        countExpressions(context, node.parameterObject(), 0);
        var step = StepDraft.code(
                context.plan().nextName(),
                context.displayName(""),
                "// Imported from n8n: this node has no equivalent. Its parameters are in the input.\n"
                        + "export const code = async (inputs) => {\n"
                        + "  throw new Error('This step was imported from n8n and has to be completed: ' + inputs.type);\n"
                        + "};\n",
                input);
        step.skip();
        context.add(step);
        context.output(context.input(0).orElse(View.one("({ })")));
    }

    /** Expressions of a node that stays as text are translated by nothing. */
    private static void countExpressions(NodeContext context, JsonNode value, int depth) {
        if (value.isTextual()
                && value.textValue().startsWith("=")
                && value.textValue().contains("{{")) {
            context.entry().countGap();
        }
        if (depth < DEPTH_MAX) {
            value.forEach(inner -> countExpressions(context, inner, depth + 1));
        }
    }
}
