package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.machine.StepPath;

/**
 * Call of a step that is not evaluated by the re-decider.
 *
 * @param text path as text, such as {@code loop[0].step_2}
 * @param input resolved input, censored and shortened as in a log
 * @param stepRecord recorded result; null when the call has none
 */
public record OutsideCall(StepPath path, String text, JsonNode input, ObjectNode stepRecord) {
    @FunctionalInterface
    public interface Listener {
        void called(OutsideCall call);
    }
}
