package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A piece that a step uses, at its exact version. */
public record PiecePin(String name, String version) {
    public static Set<PiecePin> of(StepTree tree) {
        var pins = new LinkedHashSet<PiecePin>();
        tree.steps().forEach(step -> of(step).forEach(pins::add));
        return pins;
    }

    public static Set<PiecePin> of(FlowOperation operation) {
        var pins = new LinkedHashSet<PiecePin>();
        switch (operation) {
            case FlowOperation.AddAction add -> of(add.action()).forEach(pins::add);
            case FlowOperation.UpdateAction(var action) -> of(action).forEach(pins::add);
            case FlowOperation.UpdateTrigger(var trigger) -> of(trigger).forEach(pins::add);
            default -> {
                // Other operations add no step with a piece.
            }
        }
        return pins;
    }

    private static List<PiecePin> of(Step step) {
        return switch (step) {
            case PieceStep piece -> pin(piece.pieceName(), piece.pieceVersion());
            case PieceTriggerStep piece -> pin(piece.pieceName(), piece.pieceVersion());
            default -> List.of();
        };
    }

    private static List<PiecePin> pin(Optional<String> name, Optional<String> version) {
        return name.isPresent() && version.isPresent()
                ? List.of(new PiecePin(name.get(), withoutRange(version.get())))
                : List.of();
    }

    private static String withoutRange(String version) {
        return Stream.of("~", "^").anyMatch(version::startsWith) ? version.substring(1) : version;
    }
}
