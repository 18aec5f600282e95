package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * A step that runs an action of a piece.
 *
 * @param onSuccess run after success, when the step continues on failure (contract flows-and-engine 2.8)
 * @param onFailure run after failure, when the step continues on failure
 */
public record PieceStep(StepBase base, ObjectNode settings, List<ActionStep> onSuccess, List<ActionStep> onFailure)
        implements ActionStep {
    public PieceStep {
        onSuccess = List.copyOf(onSuccess);
        onFailure = List.copyOf(onFailure);
    }

    @Override
    public StepType type() {
        return StepType.PIECE;
    }

    @Override
    public List<List<ActionStep>> sequences() {
        return List.of(onSuccess, onFailure);
    }

    @Override
    public ActionStep with(StepBase otherBase, ObjectNode otherSettings, List<List<ActionStep>> sequences) {
        return new PieceStep(otherBase, otherSettings, sequences.get(0), sequences.get(1));
    }

    public Optional<String> pieceName() {
        return setting("pieceName");
    }

    public Optional<String> pieceVersion() {
        return setting("pieceVersion");
    }

    public Optional<String> actionName() {
        return setting("actionName");
    }

    public boolean continuesOnFailure() {
        return option(settings, "continueOnFailure");
    }

    public boolean retriesOnFailure() {
        return option(settings, "retryOnFailure");
    }

    public boolean failsOnCrash() {
        return failsOnCrash(settings);
    }

    /**
     * Returns whether the author chose to fail a step that was running when its server crashed. Our own addition
     * (decision 0001).
     */
    static boolean failsOnCrash(ObjectNode settings) {
        return settings.path("errorHandlingOptions").path("onCrash").asText().equals("fail");
    }

    static boolean option(ObjectNode settings, String name) {
        return settings.path("errorHandlingOptions").path(name).path("value").asBoolean(false);
    }
}
