package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.piece.Piece;
import io.millrace.piece.property.Property;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A flow version with the facts that rules need.
 *
 * @param externalId external id of the flow, empty when unknown
 * @param pieces finds a piece of the project by name and exact version
 * @param connections states of the connections of {@link FlowWarnings#connectionsOf}, by external id; a missing one does not exist
 * @param variables names among {@link FlowWarnings#variablesOf} that exist
 * @param nodeSteps names of code steps that Node.js runs
 */
public record CheckedFlow(
        String flowId,
        Optional<String> externalId,
        StepTree tree,
        BiFunction<String, String, Optional<Piece>> pieces,
        Map<String, ConnectionStatus> connections,
        Set<String> variables,
        Set<String> nodeSteps) {
    public CheckedFlow {
        Objects.requireNonNull(flowId);
        Objects.requireNonNull(tree);
        connections = Map.copyOf(connections);
        variables = Set.copyOf(variables);
        nodeSteps = Set.copyOf(nodeSteps);
    }

    List<Step> activeSteps() {
        return tree.steps().stream().filter(step -> !step.isSkipped()).toList();
    }

    Optional<Piece> pieceOf(Step step) {
        return switch (step) {
            case PieceStep piece -> find(piece.pieceName(), piece.pieceVersion());
            case PieceTriggerStep trigger -> find(trigger.pieceName(), trigger.pieceVersion());
            default -> Optional.empty();
        };
    }

    private Optional<Piece> find(Optional<String> name, Optional<String> version) {
        return name.flatMap(known -> version.flatMap(exact -> pieces.apply(known, exact)));
    }

    /** Properties of the action or trigger of a step; empty when its piece is unknown. */
    Map<String, Property> propertiesOf(Step step) {
        var piece = pieceOf(step);
        return switch (step) {
            case PieceStep action ->
                piece.flatMap(found ->
                                action.actionName().map(name -> found.actions().get(name)))
                        .map(found -> found.spec().props())
                        .orElse(Map.of());
            case PieceTriggerStep trigger ->
                piece.flatMap(found -> trigger.triggerName()
                                .map(name -> found.triggers().get(name)))
                        .map(found -> found.spec().props())
                        .orElse(Map.of());
            default -> Map.of();
        };
    }

    static boolean isAction(Step step, String pieceName, String actionName) {
        return step instanceof PieceStep piece
                && piece.pieceName().filter(pieceName::equals).isPresent()
                && piece.actionName().filter(actionName::equals).isPresent();
    }
}
