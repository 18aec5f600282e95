package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.StepView;
import io.millrace.sandbox.expression.InputTemplate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to resolve one input of a step whose template is compiled, and to compile it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ExpressionBenchmark {
    private static final Map<String, String> INPUTS = Map.of(
            "path", "{{trigger['output']['body']['customer']}}",
            "sum", "{{trigger['output']['body']['quantity'] * trigger['output']['body']['price']}}",
            "text", "Dear {{trigger['output']['body']['customer']}}, you owe {{trigger['output']['body']['price']}}",
            "list", "{{trigger['output']['body']['lines'].filter(line => line.price > 5).map(line => line.name).join()}}");

    @Param({"path", "sum", "text", "list"})
    public String input;

    private JsonNode text;
    private InputTemplate template;
    private OneStep scope;

    @Setup
    public void compileOnce() {
        text = Json.mapper().getNodeFactory().textNode(INPUTS.get(input));
        template = InputTemplate.compile(text);
        scope = new OneStep(StepView.of(Json.trusted("""
                {"body": {"customer": "Ada", "quantity": 3, "price": 19.5, "lines": [
                  {"name": "a", "price": 1}, {"name": "b", "price": 6}, {"name": "c", "price": 12.5}]}}""")));
        if (template.resolve(scope).asText().isEmpty()) {
            throw new IllegalStateException("expected a value of " + text);
        }
    }

    @Benchmark
    public JsonNode resolve() {
        return template.resolve(scope);
    }

    @Benchmark
    public InputTemplate compile() {
        return InputTemplate.compile(text);
    }

    /** What an expression sees: the trigger, and nothing else. */
    private record OneStep(StepView trigger) implements io.millrace.sandbox.expression.value.ExpressionScope {
        @Override
        public StepView step(String name) {
            return name.equals("trigger") ? trigger : null;
        }

        @Override
        public JsonNode connection(String name) {
            return null;
        }

        @Override
        public JsonNode variable(String name) {
            return null;
        }

        @Override
        public InstantSource clock() {
            return InstantSource.fixed(Instant.EPOCH);
        }

        @Override
        public RandomGenerator random() {
            return new Random(1);
        }
    }
}
