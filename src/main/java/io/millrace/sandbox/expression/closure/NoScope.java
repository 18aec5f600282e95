package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.StepView;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Scope of code that sees nothing but its inputs: no steps, secrets, time or random numbers. */
enum NoScope implements ExpressionScope {
    INSTANCE;

    @Override
    public StepView step(String name) {
        throw new SubsetExit("a step");
    }

    @Override
    public JsonNode connection(String name) {
        throw new SubsetExit("a connection");
    }

    @Override
    public JsonNode variable(String name) {
        throw new SubsetExit("a variable");
    }

    @Override
    public InstantSource clock() {
        throw new SubsetExit("the time");
    }

    @Override
    public RandomGenerator random() {
        throw new SubsetExit("a random number");
    }
}
