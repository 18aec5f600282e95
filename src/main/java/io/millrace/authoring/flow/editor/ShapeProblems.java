package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.EmptyTrigger;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterSchema;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.Step;
import java.util.List;
import java.util.stream.Stream;

/** Reasons why a step is not ready that need no piece. Pure. */
final class ShapeProblems {
    private ShapeProblems() {}

    /** Reasons why a step is not ready; none for a step of a piece. */
    static List<String> of(Step step) {
        return switch (step) {
            case EmptyTrigger _ -> List.of("expected a trigger, found none: choose what starts the flow");
            case LoopStep loop ->
                loop.items().isEmpty() ? List.of("items: expected the list to walk, found an empty text") : List.of();
            case RouterStep router ->
                RouterSchema.hasCompleteConditions(router.settings())
                        ? List.of()
                        : List.of("branches: expected a value on each side of every condition, found an empty text");
            case CodeStep code ->
                Stream.concat(
                                code.languageProblem().map(text -> "sourceCode/language: " + text).stream(),
                                Stream.of("code", "packageJson")
                                        .filter(part ->
                                                (part.equals("code") ? code.code() : code.packageJson()).isEmpty())
                                        .map(part -> "sourceCode/" + part + ": expected a text, found an empty one"))
                        .toList();
            case PieceStep _, PieceTriggerStep _ -> List.of();
        };
    }
}
