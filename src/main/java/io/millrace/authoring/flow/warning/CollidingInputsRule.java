package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.piece.builtin.webhook.FormTrigger;
import io.millrace.piece.builtin.webhook.FormsPiece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Warns of form inputs and tool parameters with the same field name: only the last value that is sent can be read. */
final class CollidingInputsRule implements WarningRule {
    private static final String MCP = "@activepieces/piece-mcp";
    private static final String MCP_TOOL = "mcp_tool";

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        if (!(flow.tree().trigger() instanceof PieceTriggerStep trigger)) {
            return Stream.empty();
        }
        if (isOf(trigger, FormsPiece.NAME, FormTrigger.NAME)) {
            return collisions(trigger, "inputs", "displayName", FormTrigger::keyOf);
        }
        return isOf(trigger, MCP, MCP_TOOL)
                ? collisions(trigger, "inputSchema", "name", UnaryOperator.identity())
                : Stream.empty();
    }

    private static boolean isOf(PieceTriggerStep trigger, String piece, String name) {
        return trigger.pieceName().filter(piece::equals).isPresent()
                && trigger.triggerName().filter(name::equals).isPresent();
    }

    private static Stream<StepProblem> collisions(
            PieceTriggerStep trigger, String list, String nameField, UnaryOperator<String> keyOf) {
        var first = new HashMap<String, String>();
        var warnings = new ArrayList<StepProblem>();
        for (var input : trigger.input().path(list)) {
            var name = input.path(nameField).asText();
            var key = keyOf.apply(name);
            var other = first.putIfAbsent(key, name);
            if (other != null) {
                warnings.add(new StepProblem(
                        trigger.name(),
                        "input/" + list + ": the inputs \"" + other + "\" and \"" + name + "\" share the field " + key
                                + ", so one value hides the other; rename one of them"));
            }
        }
        return warnings.stream();
    }
}
