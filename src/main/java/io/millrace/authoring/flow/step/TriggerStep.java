package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** The root of a flow version: the trigger of its runs. */
public sealed interface TriggerStep extends Step permits EmptyTrigger, PieceTriggerStep {
    TriggerStep with(StepBase base, ObjectNode settings);

    /** Expression over the payload that identifies redeliveries of an event. Our own addition (decision 0033). */
    default Optional<String> deliveryId() {
        return setting("deliveryId");
    }

    default TriggerStep with(StepBase base) {
        return with(base, settings());
    }
}
