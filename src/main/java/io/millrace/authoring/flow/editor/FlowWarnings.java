package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.version.StepTree;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What does not keep a flow from being published, and yet is hardly meant (decision 0151). */
public final class FlowWarnings {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    /** Actions that answer the caller of a webhook are named so by whoever publishes pieces. */
    private static final Pattern ANSWERS = Pattern.compile("respon[ds]|reply|return");

    private FlowWarnings() {}

    /** A webhook without an answer anywhere lets callers that wait for one wait in vain. */
    public static List<StepProblem> of(StepTree tree) {
        var isAnswered = tree.steps().stream()
                .anyMatch(step -> step instanceof PieceStep piece && !piece.isSkipped() && answers(piece));
        return tree.trigger() instanceof PieceTriggerStep trigger
                        && trigger.pieceName().filter(WEBHOOK::equals).isPresent()
                        && !isAnswered
                ? List.of(new StepProblem(
                        trigger.name(),
                        "no step answers the caller: a call of this webhook at /sync waits for its whole time and is"
                                + " answered 408; add Return Response, or call it without /sync"))
                : List.of();
    }

    private static boolean answers(PieceStep step) {
        return step.actionName()
                .filter(name -> ANSWERS.matcher(name.toLowerCase(Locale.ROOT)).find())
                .isPresent();
    }
}
