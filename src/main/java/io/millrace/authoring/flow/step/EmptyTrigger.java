package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/** The trigger of a new flow: no trigger is selected, so it is never valid. */
public record EmptyTrigger(StepBase base) implements TriggerStep {
    public EmptyTrigger {
        base = base.validated(false);
    }

    /** The trigger of a new version (contract flows-and-engine 2.2). */
    public static EmptyTrigger fresh(String now) {
        return new EmptyTrigger(new StepBase("trigger", "Select Trigger", false, null, now));
    }

    @Override
    public StepType type() {
        return StepType.EMPTY;
    }

    @Override
    public ObjectNode settings() {
        return Json.object();
    }

    @Override
    public TriggerStep with(StepBase otherBase, ObjectNode ignoredSettings) {
        return new EmptyTrigger(otherBase);
    }
}
