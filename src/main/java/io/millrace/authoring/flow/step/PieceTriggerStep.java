package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

public record PieceTriggerStep(StepBase base, ObjectNode settings) implements TriggerStep {
    @Override
    public StepType type() {
        return StepType.PIECE_TRIGGER;
    }

    @Override
    public TriggerStep with(StepBase otherBase, ObjectNode otherSettings) {
        return new PieceTriggerStep(otherBase, otherSettings);
    }

    public Optional<String> pieceName() {
        return setting("pieceName");
    }

    public Optional<String> pieceVersion() {
        return setting("pieceVersion");
    }

    public Optional<String> triggerName() {
        return setting("triggerName");
    }

    /** Key of this trigger's samples: {@code <pieceName>@<major.minor>:<triggerName>} (18.8). */
    public String sourceName() {
        var version = pieceVersion().orElse("");
        var lastDot = version.lastIndexOf('.');
        return pieceName().orElse("") + "@" + (lastDot < 0 ? version : version.substring(0, lastDot)) + ":"
                + triggerName().orElse("");
    }
}
