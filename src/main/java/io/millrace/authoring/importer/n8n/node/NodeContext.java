package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.DataScope;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.step.ItemLoop;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.Prelude;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.authoring.importer.n8n.step.StepSequence;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** One node during its translation: its inputs, and the steps and outputs that it becomes. */
public final class NodeContext {
    private static final int DISPLAY_NAME_MAX = 200;

    /** A use of the name, other than its declarations in generated code. */
    private static final Pattern RUN_INDEX = Pattern.compile("\\$runIndex(?!: inputs|, \\$vars)");

    private final Workflow workflow;
    private final NodeEntry entry;
    private final StepSequence sequence;
    private final StepPlan plan;
    private final DataScope scope;
    private final IntFunction<Optional<View>> inputs;
    private final NodeParameters parameters;
    private final NodeOutcome outcome = new NodeOutcome();

    public NodeContext(
            Workflow workflow,
            NodeEntry entry,
            StepSequence sequence,
            StepPlan plan,
            DataScope scope,
            IntFunction<Optional<View>> inputs) {
        this.workflow = workflow;
        this.entry = entry;
        this.sequence = sequence;
        this.plan = plan;
        this.scope = scope;
        this.inputs = inputs;
        this.parameters = new NodeParameters(entry, plan, scope);
    }

    public NodeOutcome outcome() {
        return outcome;
    }

    Workflow workflow() {
        return workflow;
    }

    WorkflowNode node() {
        return entry.node();
    }

    NodeEntry entry() {
        return entry;
    }

    StepSequence sequence() {
        return sequence;
    }

    StepPlan plan() {
        return plan;
    }

    NodeParameters parameters() {
        return parameters;
    }

    Optional<View> input(int index) {
        return inputs.apply(index);
    }

    /** The first input; an empty item if there is none. */
    View input() {
        return input(0).orElseGet(() -> View.one("({ })"));
    }

    boolean hasManyItems() {
        return input().isList();
    }

    static String token(String script) {
        return ScriptTexts.token(script);
    }

    StepDraft add(StepDraft step) {
        parameters.takeValueStep(displayName("Values of ")).ifPresent(values -> add(values, false));
        return add(step, true);
    }

    private StepDraft add(StepDraft step, boolean isMain) {
        readRunIndex(step);
        if (node().isDisabled()) {
            step.skip();
        }
        sequence.add(step);
        outcome.add(step);
        if (isMain) {
            entry.setStep(step.name());
        }
        return step;
    }

    private void readRunIndex(StepDraft step) {
        var code = step.settings().path("sourceCode").path("code").asText("");
        if (!scope.runIndex().equals("0") && RUN_INDEX.matcher(code).find()) {
            step.settings().withObjectProperty("input").put("runIndex", token(scope.runIndex()));
        }
    }

    String displayName(String prefix) {
        var name = prefix + node().name();
        return CutText.of(name, DISPLAY_NAME_MAX);
    }

    StepDraft piece(String piece, String version, String action, ObjectNode input) {
        return add(StepDraft.piece(
                plan.nextName(), displayName(""), "@activepieces/piece-" + piece, version, action, input));
    }

    void trigger(String piece, String version, String name, ObjectNode input) {
        var settings = Json.object()
                .put("pieceName", "@activepieces/piece-" + piece)
                .put("pieceVersion", version)
                .put("triggerName", name);
        settings.set("input", input);
        settings.putObject("propertySettings");
        var trigger = Json.object()
                .put("name", "trigger")
                .put("displayName", displayName(""))
                .put("type", "PIECE_TRIGGER")
                .put("valid", true);
        trigger.set("settings", settings);
        outcome.setTrigger(trigger);
        entry.setStep("trigger");
    }

    StepDraft router(boolean isFirstMatch) {
        return add(StepDraft.router(plan.nextName(), displayName(""), isFirstMatch));
    }

    /**
     * A code step.
     *
     * @param statements body of the function, with {@code inputs}
     */
    StepDraft code(String statements) {
        return code(statements, Json.object());
    }

    StepDraft code(String statements, ObjectNode more) {
        var code = "export const code = async (inputs) => {\n" + statements + "\n};\n";
        var input = parameters.codeInput();
        input.setAll(more);
        return add(StepDraft.code(plan.nextName(), displayName(""), Prelude.before(code, plan.timezone()), input));
    }

    void mapItems(String expression) {
        var step = code("return $scope(inputs).map((" + ValueStep.NAMES + ") => " + expression + ")"
                + (hasManyItems() ? "" : "[0]") + ";");
        outcome.setOutput(View.ofStep(step.name(), hasManyItems()));
    }

    void mapList(String statements, boolean isList) {
        var step = code("const list = $scope(inputs).items.map((item) => item.json);\n" + statements);
        outcome.setOutput(View.ofStep(step.name(), isList));
    }

    StepSequence branch(StepDraft router, int output, ObjectNode branch, String condition) {
        var inner = router.addBranch(branch, sequence.inner());
        outcome.setSequence(output, inner);
        outcome.setCondition(output, condition);
        return inner;
    }

    StepSequence loop(String items, View source, int output) {
        var step = add(StepDraft.loop(plan.nextName(), displayName(""), token(items)));
        var body = sequence.body(ItemLoop.of(step.name(), false, source, sequence));
        step.setBody(body);
        outcome.setSequence(output, body);
        return body;
    }

    void output(View view) {
        outcome.setOutput(view);
    }

    void output(int index, View view) {
        outcome.setOutput(index, view);
    }
}
