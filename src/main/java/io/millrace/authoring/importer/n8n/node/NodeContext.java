package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.DataScope;
import io.millrace.authoring.importer.n8n.expression.ExpressionTranslator;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.Workflow;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.authoring.importer.n8n.step.ItemLoop;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.Prelude;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.authoring.importer.n8n.step.StepSequence;
import io.millrace.base.core.Json;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** One node that is being translated: its parameters as inputs of steps, and the place for its steps. */
public final class NodeContext {
    private static final int DEPTH_MAX = 100;
    private static final int DISPLAY_NAME_MAX = 200;

    /** A use of the name, other than its declarations in generated code. */
    private static final Pattern RUN_INDEX = Pattern.compile("\\$runIndex(?!: inputs|, \\$vars)");

    private final Workflow workflow;
    private final NodeEntry entry;
    private final StepSequence sequence;
    private final StepPlan plan;
    private final DataScope scope;
    private final IntFunction<Optional<View>> inputs;
    private final ExpressionTranslator expressions;
    private final NodeOutcome outcome = new NodeOutcome();
    private final Set<String> codeNodes = new LinkedHashSet<>();
    private final Set<String> codeVariables = new LinkedHashSet<>();
    private ValueStep values;

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
        this.expressions = new ExpressionTranslator(scope);
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

    Optional<View> input(int index) {
        return inputs.apply(index);
    }

    /** The first input; an empty item if there is none. */
    View input() {
        return input(0).orElseGet(() -> View.one("({ })"));
    }

    /** True if the input can have several items. */
    boolean hasManyItems() {
        return input().isList();
    }

    /** An expression as a token of an input. */
    static String token(String script) {
        return ScriptTexts.token(script);
    }

    /** A parameter, with its expressions translated for the input of a step. */
    JsonNode value(String path) {
        return value(node().parameter(path));
    }

    JsonNode value(JsonNode raw) {
        return value(raw, 0);
    }

    private JsonNode value(JsonNode raw, int depth) {
        if (raw.isTextual()) {
            return TextNode.valueOf(template(raw.textValue()));
        }
        if (raw.isContainerNode() && depth > DEPTH_MAX) {
            entry.near("a parameter is nested deeper than " + DEPTH_MAX + " levels: the rest was left out");
            return NullNode.getInstance();
        }
        if (raw.isArray()) {
            var list = Json.array();
            raw.forEach(item -> list.add(value(item, depth + 1)));
            return list;
        }
        if (raw.isObject()) {
            var object = Json.object();
            raw.properties().forEach(field -> object.set(field.getKey(), value(field.getValue(), depth + 1)));
            return object;
        }
        return raw.isMissingNode() ? NullNode.getInstance() : raw;
    }

    private String template(String raw) {
        var translated = expressions.forInput(raw);
        entry.count(translated);
        return translated.needsCode() ? token(values().add(translated)) : translated.template();
    }

    /** A parameter as the text of an input; empty if it is absent. */
    String text(String path) {
        var raw = node().parameter(path);
        return raw.isTextual() ? template(raw.textValue()) : raw.isValueNode() && !raw.isNull() ? raw.asText() : "";
    }

    /** A value as one expression, which others can contain. */
    String operand(JsonNode raw) {
        if (!raw.isTextual()) {
            return raw.isMissingNode()
                    ? "undefined"
                    : raw.isContainerNode() ? "(" + Json.text(raw) + ")" : Json.text(raw);
        }
        var translated = expressions.forOperand(raw.textValue());
        entry.count(translated);
        return translated.needsCode() ? values().add(translated) : translated.script();
    }

    /** A value as JavaScript for the code step of this node. */
    String script(JsonNode raw) {
        return script(raw, 0);
    }

    private String script(JsonNode raw, int depth) {
        if (raw.isTextual()) {
            var translated = expressions.forCode(raw.textValue());
            entry.count(translated);
            codeNodes.addAll(translated.nodes());
            codeVariables.addAll(translated.variables());
            return translated.counts().isEmpty() ? translated.script() : "$try(() => " + translated.script() + ")";
        }
        if (!raw.isContainerNode() || depth > DEPTH_MAX) {
            return raw.isMissingNode() || raw.isContainerNode() ? "undefined" : Json.text(raw);
        }
        var text = new StringBuilder(raw.isArray() ? "[" : "{ ");
        if (raw.isArray()) {
            raw.forEach(item -> text.append(script(item, depth + 1)).append(", "));
            return text.append("]").toString();
        }
        raw.properties()
                .forEach(field -> text.append(ScriptTexts.quoted(field.getKey()))
                        .append(": ")
                        .append(script(field.getValue(), depth + 1))
                        .append(", "));
        return text.append("}").toString();
    }

    String script(String path) {
        return script(node().parameter(path));
    }

    /** Lets the code step of this node read the items of another one. */
    void readInCode(String other) {
        if (scope.output(other).isPresent()) {
            codeNodes.add(other);
        } else {
            entry.byHand("the code reads the node \"" + other + "\", which is not executed before it");
        }
    }

    void readVariableInCode(String variable) {
        codeVariables.add(variable);
    }

    private ValueStep values() {
        if (values == null) {
            values = new ValueStep(plan.nextName());
        }
        return values;
    }

    /** Adds the step with the values that it needs. */
    StepDraft add(StepDraft step) {
        if (values != null) {
            add(
                    values.draft(
                            displayName("Values of "),
                            plan.timezone(),
                            scope.input().orElse(null),
                            this::outputOf),
                    false);
            values = null;
        }
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

    /** Gives code that reads it the number of the iteration. */
    private void readRunIndex(StepDraft step) {
        var code = step.settings().path("sourceCode").path("code").asText("");
        if (!scope.runIndex().equals("0") && RUN_INDEX.matcher(code).find()) {
            step.settings().withObjectProperty("input").put("runIndex", token(scope.runIndex()));
        }
    }

    private View outputOf(String other) {
        return scope.output(other).orElseGet(() -> View.one("undefined"));
    }

    String displayName(String prefix) {
        var name = prefix + node().name();
        return name.length() > DISPLAY_NAME_MAX ? name.substring(0, DISPLAY_NAME_MAX) : name;
    }

    StepDraft piece(String piece, String version, String action, ObjectNode input) {
        return add(StepDraft.piece(
                plan.nextName(), displayName(""), "@activepieces/piece-" + piece, version, action, input));
    }

    /** The trigger of the flow. */
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
        var input = ValueStep.inputs(scope.input().orElse(null), codeNodes, codeVariables, this::outputOf);
        input.setAll(more);
        return add(StepDraft.code(plan.nextName(), displayName(""), Prelude.before(code, plan.timezone()), input));
    }

    /** A code step that maps each item, and its output. */
    void mapItems(String expression) {
        var step = code("return $scope(inputs).map((" + ValueStep.NAMES + ") => " + expression + ")"
                + (hasManyItems() ? "" : "[0]") + ";");
        outcome.setOutput(View.ofStep(step.name(), hasManyItems()));
    }

    /** A code step over the JSON of all items, and its output. */
    void mapList(String statements, boolean isList) {
        var step = code("const list = $scope(inputs).items.map((item) => item.json);\n" + statements);
        outcome.setOutput(View.ofStep(step.name(), isList));
    }

    /** A branch of a router for an output of the node. */
    StepSequence branch(StepDraft router, int output, ObjectNode branch, String condition) {
        var inner = router.addBranch(branch, sequence.inner());
        outcome.setSequence(output, inner);
        outcome.setCondition(output, condition);
        return inner;
    }

    /** A loop over items; returns the sequence of its body. */
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
