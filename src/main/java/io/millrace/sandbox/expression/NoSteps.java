package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.StepView;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Scope of an expression outside a run, in a trigger's input or a single action: it has no steps.
 *
 * @param secrets connections and variables that were loaded for the input
 */
public record NoSteps(InstantSource clock, RandomGenerator random, Secrets secrets) implements ExpressionScope {
    @Override
    public StepView step(String name) {
        return null;
    }

    @Override
    public JsonNode connection(String name) {
        return secrets.connection(name);
    }

    @Override
    public JsonNode variable(String name) {
        return secrets.variable(name);
    }
}
