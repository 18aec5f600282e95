package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reasons why steps are not ready, by the rules of {@link FlowValidator}, for messages to the author. */
public final class StepProblems {
    private static final int NAMES_MAX = 20;

    private final PieceFinder pieces;

    public StepProblems(PieceFinder pieces) {
        this.pieces = pieces;
    }

    /** All reasons why a flow cannot be published; empty only when each step is valid or skipped. */
    public List<StepProblem> of(PieceScope scope, StepTree tree) {
        return tree.steps().stream()
                .filter(step -> !step.valid() && !step.isSkipped())
                .flatMap(step -> told(scope, step).stream().map(text -> new StepProblem(step.name(), text)))
                .toList();
    }

    /** Reasons of one step. It may carry an invalid mark from its client for which the validator finds no reason. */
    public List<String> told(PieceScope scope, Step step) {
        var found = of(scope, step);
        return found.isEmpty() ? List.of("the step was saved as invalid; save it again to check it") : found;
    }

    private List<String> of(PieceScope scope, Step step) {
        return switch (step) {
            case PieceStep piece ->
                of(
                        scope,
                        piece.pieceName(),
                        piece.pieceVersion(),
                        found -> ofPart(found, "action", piece.actionName(), actions(found), piece));
            case PieceTriggerStep trigger ->
                of(
                        scope,
                        trigger.pieceName(),
                        trigger.pieceVersion(),
                        found -> ofPart(found, "trigger", trigger.triggerName(), triggers(found), trigger));
            default -> ShapeProblems.of(step);
        };
    }

    private List<String> of(
            PieceScope scope, Optional<String> name, Optional<String> version, Function<Piece, List<String>> judge) {
        return name.flatMap(known -> version.flatMap(exact -> pieces.find(scope, known, exact)))
                .map(judge)
                .orElseGet(() -> List.of("expected the piece " + name.orElse("of some name") + " at version "
                        + version.orElse("of some number") + ", found none"));
    }

    private record Part(Map<String, Property> props, boolean requireAuth) {}

    private static Function<String, Part> actions(Piece piece) {
        return name -> {
            var spec = piece.actions().get(name).spec();
            return new Part(spec.props(), spec.requireAuth());
        };
    }

    private static Function<String, Part> triggers(Piece piece) {
        return name -> {
            var spec = piece.triggers().get(name).spec();
            return new Part(spec.props(), spec.requireAuth());
        };
    }

    private static List<String> ofPart(
            Piece piece, String kind, Optional<String> name, Function<String, Part> parts, Step step) {
        var known = kind.equals("action")
                ? piece.actions().keySet()
                : piece.triggers().keySet();
        if (name.filter(known::contains).isEmpty()) {
            return List.of(unknown(kind, piece.spec().name(), name.orElse(""), known));
        }
        var part = parts.apply(name.get());
        return new InputSchema(part.props(), FlowValidator.asksAuth(piece, part.requireAuth()))
                .problems(step.settings().path("input"));
    }

    static String unknown(String kind, String pieceName, String name, Set<String> known) {
        var shown = known.stream().sorted().limit(NAMES_MAX).toList();
        return kind + "Name: expected one of " + String.join(", ", shown) + (known.size() > NAMES_MAX ? " …" : "")
                + " of " + pieceName + ", found " + (name.isEmpty() ? "none" : name);
    }
}
