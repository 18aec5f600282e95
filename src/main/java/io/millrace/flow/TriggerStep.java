package io.millrace.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The root of a flow version: what its runs begin with. */
public sealed interface TriggerStep extends Step permits EmptyTrigger, PieceTriggerStep {
    /** The same kind of trigger with other contents. */
    TriggerStep with(StepBase base, ObjectNode settings);

    default TriggerStep with(StepBase base) {
        return with(base, settings());
    }
}
