package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.DataScope;
import io.millrace.authoring.importer.n8n.expression.ExpressionTranslator;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.authoring.importer.n8n.step.StepDraft;
import io.millrace.base.core.Json;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Parameters of a node, with their expressions translated for inputs of steps, for other expressions and for code. Expressions that
 * need code are computed by a step before that of the node.
 */
final class NodeParameters {
    private static final int DEPTH_MAX = 100;

    private final NodeEntry entry;
    private final StepPlan plan;
    private final DataScope scope;
    private final ExpressionTranslator expressions;
    private final Set<String> codeNodes = new LinkedHashSet<>();
    private final Set<String> codeVariables = new LinkedHashSet<>();
    private ValueStep values;

    NodeParameters(NodeEntry entry, StepPlan plan, DataScope scope) {
        this.entry = entry;
        this.plan = plan;
        this.scope = scope;
        this.expressions = new ExpressionTranslator(scope);
    }

    /** A parameter, with its expressions translated for the input of a step. */
    JsonNode value(String path) {
        return value(entry.node().parameter(path));
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
        return translated.needsCode() ? ScriptTexts.token(values().add(translated)) : translated.template();
    }

    /** A parameter as the text of an input; empty if it is absent. */
    String text(String path) {
        var raw = entry.node().parameter(path);
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
        return script(entry.node().parameter(path));
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

    /** The step that computes the values used since the last call; empty if there are none. */
    Optional<StepDraft> takeValueStep(String displayName) {
        var taken = Optional.ofNullable(values)
                .map(step ->
                        step.draft(displayName, plan.timezone(), scope.input().orElse(null), this::outputOf));
        values = null;
        return taken;
    }

    ObjectNode codeInput() {
        return ValueStep.inputs(scope.input().orElse(null), codeNodes, codeVariables, this::outputOf);
    }

    private View outputOf(String other) {
        return scope.output(other).orElseGet(() -> View.one("undefined"));
    }
}
