package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Source of the results of steps that a walk does not evaluate, in place of those of a recorded run. */
public interface StepFixtures {
    StepFixtures NONE = _ -> Optional.empty();

    /**
     * Step that needs a result.
     *
     * @param path path as text, such as {@code loop[0].step_2}
     * @param type type of the step in a log
     * @param isCall whether the step reaches outside or runs code; false for a pure step that cannot be evaluated
     * @param input resolved input; a connection or a variable in it has a placeholder
     * @param logged the same input in the form of a log: redacted and shortened
     */
    record Question(String path, String name, String type, boolean isCall, JsonNode input, JsonNode logged) {}

    /** Returns the record of the step in the form of a log: {@code SUCCEEDED} or {@code FAILED}. Empty without a fixture. */
    Optional<ObjectNode> answer(Question question);

    /** Receives the status of the end that the steps decide; no call without one. */
    default void ended(String status) {}
}
