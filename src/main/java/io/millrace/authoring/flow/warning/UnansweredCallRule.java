package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Warns of a webhook without any answer: a caller of {@code /sync} waits for the whole timeout. */
final class UnansweredCallRule implements WarningRule {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    /** Publishers of pieces name actions that answer the caller of a webhook like this. */
    private static final Pattern ANSWERS = Pattern.compile("respon[ds]|reply|return");

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.tree().trigger() instanceof PieceTriggerStep trigger
                        && trigger.pieceName().filter(WEBHOOK::equals).isPresent()
                        && flow.activeSteps().stream()
                                .noneMatch(step -> step instanceof PieceStep piece && answers(piece))
                ? Stream.of(new StepProblem(
                        trigger.name(),
                        "no step responds to the caller: a call of this webhook at /sync waits until its timeout and is"
                                + " answered 408; add Return Response, or call it without /sync"))
                : Stream.empty();
    }

    private static boolean answers(PieceStep step) {
        return step.actionName()
                .filter(name -> ANSWERS.matcher(name.toLowerCase(Locale.ROOT)).find())
                .isPresent();
    }
}
