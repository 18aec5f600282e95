package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

public record LoopStep(StepBase base, ObjectNode settings, List<ActionStep> body) implements ActionStep {
    public LoopStep {
        body = List.copyOf(body);
    }

    @Override
    public StepType type() {
        return StepType.LOOP_ON_ITEMS;
    }

    @Override
    public List<List<ActionStep>> sequences() {
        return List.of(body);
    }

    @Override
    public ActionStep with(StepBase otherBase, ObjectNode otherSettings, List<List<ActionStep>> sequences) {
        return new LoopStep(otherBase, otherSettings, sequences.getFirst());
    }

    /** The expression that gives the list. */
    public String items() {
        return setting("items").orElse("");
    }
}
