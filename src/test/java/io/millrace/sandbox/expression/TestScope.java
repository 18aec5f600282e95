package io.millrace.sandbox.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.StepView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Scope with steps, connections and variables set by a test, and a fixed clock. */
public final class TestScope implements ExpressionScope {
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07.089Z");

    private final Map<String, StepView> steps = new HashMap<>();
    private final Map<String, JsonNode> connections = new HashMap<>();
    private final Map<String, JsonNode> variables = new HashMap<>();
    private final Map<String, JsonNode> evaluatedElsewhere = new HashMap<>();
    private final RandomGenerator random = new Random(1);
    private long fuel = Meter.FUEL;

    public static JsonNode json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(text, malformed);
        }
    }

    public TestScope step(String name, String output) {
        steps.put(name, StepView.of(json(output)));
        return this;
    }

    public TestScope step(String name, JsonNode output) {
        steps.put(name, StepView.of(output));
        return this;
    }

    TestScope failedStep(String name, String message) {
        steps.put(name, StepView.failed(null, message));
        return this;
    }

    public TestScope connection(String name, String value) {
        connections.put(name, json(value));
        return this;
    }

    public TestScope variable(String name, String value) {
        variables.put(name, Json.mapper().getNodeFactory().textNode(value));
        return this;
    }

    public TestScope evaluatedElsewhere(String source, String value) {
        evaluatedElsewhere.put(source, json(value));
        return this;
    }

    /** Sets the units of each resolution. */
    public TestScope fuel(long units) {
        fuel = units;
        return this;
    }

    /** The value of an input that is one text. */
    public JsonNode resolve(String text) {
        return InputTemplate.compile(Json.mapper().getNodeFactory().textNode(text))
                .resolve(this);
    }

    /** The value of one expression. */
    JsonNode evaluate(String expression) {
        return resolve("{{" + expression + "}}");
    }

    @Override
    public StepView step(String name) {
        return steps.get(name);
    }

    @Override
    public JsonNode connection(String name) {
        var value = connections.get(name);
        if (value == null) {
            throw new ExpressionFailure("ConnectionNotFound", "connection " + name + " not found");
        }
        return value;
    }

    @Override
    public JsonNode variable(String name) {
        return variables.get(name);
    }

    @Override
    public InstantSource clock() {
        return InstantSource.fixed(NOW);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Meter meter() {
        return new Meter(fuel);
    }

    @Override
    public JsonNode beyondGrammar(String source) {
        return evaluatedElsewhere.get(source);
    }
}
