package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.piece.builtin.webhook.FormTrigger;
import io.millrace.piece.builtin.webhook.FormsPiece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.stream.Stream;

/** Warns of form inputs with the same field name: only the last value that is sent can be read. */
final class CollidingInputsRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        if (!(flow.tree().trigger() instanceof PieceTriggerStep trigger)
                || trigger.pieceName().filter(FormsPiece.NAME::equals).isEmpty()
                || trigger.triggerName().filter(FormTrigger.NAME::equals).isEmpty()) {
            return Stream.empty();
        }
        var first = new HashMap<String, String>();
        var warnings = new ArrayList<StepProblem>();
        for (var input : trigger.input().path("inputs")) {
            var displayName = input.path("displayName").asText();
            var key = FormTrigger.keyOf(displayName);
            var other = first.putIfAbsent(key, displayName);
            if (other != null) {
                warnings.add(new StepProblem(
                        trigger.name(),
                        "input/inputs: the inputs \"" + other + "\" and \"" + displayName + "\" share the field " + key
                                + ", so one value hides the other; rename one of them"));
            }
        }
        return warnings.stream();
    }
}
