package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import java.util.stream.Stream;

/** Warns of expressions that read a step which has no value yet: a later step, or one of an exclusive branch. */
final class LateStepRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        var names = flow.tree().names();
        var places = new StepPlaces(flow.tree());
        return flow.activeSteps().stream()
                .flatMap(
                        step -> StepUse.of(step).entrySet().stream()
                                .filter(use -> names.contains(use.getKey()))
                                .flatMap(
                                        use -> places.obstacle(step.name(), use.getKey()).stream()
                                                .map(
                                                        obstacle -> new StepProblem(
                                                                step.name(),
                                                                use.getValue() + ": the step " + use.getKey() + " "
                                                                        + obstacle
                                                                        + ", so its value is empty; move the step or refer to an earlier one"))));
    }
}
