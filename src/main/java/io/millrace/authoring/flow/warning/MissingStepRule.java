package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Warns of expressions that read a step which was deleted, renamed or is skipped: their value is empty. */
final class MissingStepRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        var known = flow.tree().steps().stream()
                .collect(Collectors.toMap(step -> step.name(), step -> step.isSkipped(), (first, _) -> first));
        return flow.activeSteps().stream()
                .flatMap(step -> StepUse.of(step).entrySet().stream()
                        .filter(use -> known.getOrDefault(use.getKey(), true))
                        .map(use -> new StepProblem(
                                step.name(),
                                use.getValue() + ": the step " + use.getKey()
                                        + (known.containsKey(use.getKey()) ? " is skipped" : " does not exist")
                                        + ", so its value is empty; refer to another step")));
    }
}
