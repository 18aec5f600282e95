package io.millrace.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.expression.Scope;
import io.millrace.expression.Secrets;
import io.millrace.expression.StepView;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * What an expression of a trigger's input sees: no steps, for none has run.
 *
 * @param secrets connections and variables that were loaded for the input
 */
record HookScope(InstantSource clock, Secrets secrets) implements Scope {
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

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }
}
