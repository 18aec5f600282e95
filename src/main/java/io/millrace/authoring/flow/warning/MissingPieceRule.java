package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.piece.Piece;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Warns of a step that was valid when it was saved and whose piece, action or trigger the project no longer has. A step that is
 * not valid blocks publishing and needs no warning.
 */
final class MissingPieceRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream().filter(Step::valid).flatMap(step -> switch (step) {
            case PieceStep piece ->
                missing(flow, step, piece.pieceName(), piece.pieceVersion(), "action", piece.actionName()).stream();
            case PieceTriggerStep trigger ->
                missing(flow, step, trigger.pieceName(), trigger.pieceVersion(), "trigger", trigger.triggerName())
                        .stream();
            default -> Stream.empty();
        });
    }

    private static Optional<StepProblem> missing(
            CheckedFlow flow,
            Step step,
            Optional<String> name,
            Optional<String> version,
            String kind,
            Optional<String> part) {
        var shown = name.orElse("") + " " + version.orElse("");
        var piece = flow.pieceOf(step);
        if (piece.isEmpty()) {
            return Optional.of(new StepProblem(
                    step.name(),
                    "the piece " + shown + " is not installed: publishing tries to install it, and while it is"
                            + " missing the step fails; install the piece or replace the step"));
        }
        return part.filter(wanted -> !partsOf(piece.get(), kind).contains(wanted))
                .map(wanted -> new StepProblem(
                        step.name(),
                        "the piece " + shown + " has no " + kind + " " + wanted
                                + ": the step fails when it runs; choose another " + kind));
    }

    private static Set<String> partsOf(Piece piece, String kind) {
        return kind.equals("action")
                ? piece.actions().keySet()
                : piece.triggers().keySet();
    }
}
