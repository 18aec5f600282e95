package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;

/** An expression's view of one step (contract flows-and-engine 7.4). */
public interface StepView {
    /** The step's output; null while it has none. */
    JsonNode output();

    /** The error message, when the step failed; null otherwise. */
    String errorMessage();

    static StepView of(JsonNode output) {
        return new Fixed(output, null);
    }

    static StepView failed(JsonNode output, String errorMessage) {
        return new Fixed(output, errorMessage);
    }

    record Fixed(JsonNode output, String errorMessage) implements StepView {}
}
