package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.piece.Piece;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Warns of pieces, actions and triggers that their publisher marks as legacy or deprecated in the name. */
final class LegacyPieceRule implements WarningRule {
    private static final Pattern MARK = Pattern.compile("(?i)\\b(?:legacy|deprecated)\\b");

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(
                        step -> flow.pieceOf(step).stream()
                                .flatMap(piece -> names(piece, step))
                                .filter(name -> MARK.matcher(name).find())
                                .limit(1)
                                .map(
                                        name -> new StepProblem(
                                                step.name(),
                                                name
                                                        + " is kept for existing flows only: its publisher recommends another piece or action")));
    }

    private static Stream<String> names(Piece piece, Step step) {
        var part = switch (step) {
            case PieceStep action ->
                action.actionName()
                        .map(name -> piece.actions().get(name))
                        .map(found -> found.spec().displayName());
            case PieceTriggerStep trigger ->
                trigger.triggerName()
                        .map(name -> piece.triggers().get(name))
                        .map(found -> found.spec().displayName());
            default -> Optional.<String>empty();
        };
        return Stream.concat(Stream.of(piece.spec().displayName()), part.stream());
    }
}
