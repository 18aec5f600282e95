package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;

/** An expression's view of one step (contract flows-and-engine 7.4). */
public interface StepView {
    /** The step's output; null while it has none. */
    JsonNode output();

    /** The error message, when the step failed; null otherwise. */
    String errorMessage();

    /** A step that succeeded with an output. */
    static StepView of(JsonNode output) {
        return new Fixed(output, null);
    }

    /** A step that failed. */
    static StepView failed(JsonNode output, String errorMessage) {
        return new Fixed(output, errorMessage);
    }

    /** A view with its values in memory. */
    record Fixed(JsonNode output, String errorMessage) implements StepView {}
}
