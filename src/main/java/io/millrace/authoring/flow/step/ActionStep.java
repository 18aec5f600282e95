package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

public sealed interface ActionStep extends Step permits CodeStep, PieceStep, LoopStep, RouterStep {
    /**
     * The child sequences of this step, in depth-first order (contract flows-and-engine 2.11): a loop's body, a
     * router's children, or the sequences after success and after failure. An empty sequence is an absent head.
     */
    List<List<ActionStep>> sequences();

    ActionStep with(StepBase base, ObjectNode settings, List<List<ActionStep>> sequences);

    default ActionStep with(StepBase base) {
        return with(base, settings(), sequences());
    }

    default ActionStep with(ObjectNode settings) {
        return with(base(), settings, sequences());
    }

    default ActionStep with(List<List<ActionStep>> sequences) {
        return with(base(), settings(), sequences);
    }
}
