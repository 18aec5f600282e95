package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.expression.closure.ClosureModules;
import io.millrace.sandbox.expression.closure.CodeClosure;
import io.millrace.sandbox.expression.closure.RandomPrograms;
import io.millrace.support.CodeOracle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Closures in the server give the results of a worker, byte for byte, or none. {@code -Dmillrace.closure.programs} sets the number of
 * random programs, {@code -Dmillrace.closure.seed} the first of their seeds.
 */
class ClosureEquivalenceTest {
    private static final int PROGRAMS = Integer.getInteger("millrace.closure.programs", 5_000);
    private static final long SEED = Long.getLong("millrace.closure.seed", 1);
    private static final int BATCH = 250;
    private static final int OF_ONE_WORKER = 5_000;
    private static final CodeLimits LIMITS = new CodeLimits(600_000, 10_000, 64 << 20);
    private static final Pattern SNIPPET = Pattern.compile("(?m)^  '([^']+)': (?:async )?\\(\\) => (.+),$");

    /** Calls each function with its input; an error has a text that is no JSON. */
    private static final String CALLS = """
            ];
            exports.code = async (inputs) => {
              const results = [];
              for (let at = 0; at < inputs.length; at++) {
                try {
                  results.push(String(JSON.stringify(await functions[at](JSON.parse(inputs[at])))));
                } catch (error) {
                  results.push(`threw ${error}`);
                }
              }
              return results;
            };
            """;

    @AutoClose
    private static CodeBench bench = new CodeBench(256L << 20, 1, 1);

    private record Sample(String body, JsonNode inputs) {}

    @Test
    void givesTheResultsOfAWorker_forRandomPrograms() throws JsonProcessingException {
        var kept = 0;
        // A worker keeps recent sources, and those of the batches are large.
        for (var from = 0; from < PROGRAMS; from += OF_ONE_WORKER) {
            try (var worker = new CodeBench(256L << 20, 1, 1)) {
                kept += kept(from, Math.min(from + OF_ONE_WORKER, PROGRAMS), worker);
            }
        }
        assertThat(kept).as("programs that ran in the server").isGreaterThan(PROGRAMS / 2);
    }

    /** Number of the programs that ran in the server, all with the result of the worker. */
    private static int kept(int first, int end, CodeBench worker) throws JsonProcessingException {
        var kept = 0;
        for (var from = first; from < end; from += BATCH) {
            var samples = samples(SEED + from, Math.min(BATCH, end - from));
            var expected = ofWorker(samples, worker);
            for (var index = 0; index < samples.size(); index++) {
                var sample = samples.get(index);
                var result = CodeClosure.compile(ClosureModules.ofBody(sample.body()))
                        .flatMap(closure -> closure.call(sample.inputs()));
                if (result.isPresent()) {
                    kept++;
                    assertThat(text(result.get()))
                            .as(() -> sample.body() + "\n" + sample.inputs())
                            .isEqualTo(asRead(expected.get(index).textValue()));
                }
            }
        }
        return kept;
    }

    private static List<Sample> samples(long seed, int count) {
        var samples = new ArrayList<Sample>();
        for (var index = 0; index < count; index++) {
            var programs = new RandomPrograms(seed + index);
            samples.add(new Sample(programs.body(), programs.inputs()));
        }
        return samples;
    }

    private static JsonNode ofWorker(List<Sample> samples, CodeBench worker) {
        var source = new StringBuilder("const functions = [\n");
        var inputs = Json.array();
        for (var sample : samples) {
            source.append("async (inputs) => {").append(sample.body()).append("},\n");
            inputs.add(Json.text(sample.inputs()));
        }
        var program = new CodeProgram(
                CodeProgram.Form.COMMON_JS, source.append(CALLS).toString(), Optional.empty(), List.of());
        var result = CodeBench.await(worker.runner()
                .run(new CodeCall("project", program, inputs, LIMITS))
                .result());
        if (result instanceof CodeResult.Returned returned) {
            return returned.output();
        }
        throw new AssertionError("expected results, but found " + result);
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "undefined" : Json.text(value);
    }

    /** Text of the output after the server has read it from a worker. */
    private static String asRead(String json) throws JsonProcessingException {
        return json.equals("undefined") || json.startsWith("threw") ? json : Json.text(Json.parse(json));
    }

    @Test
    void givesTheResultsOfAWorker_forTheSnippetsOfTheCorpus() throws IOException {
        var corpus = CodeOracle.corpus();
        var expected = bench.output(corpus);
        var kept = new ArrayList<String>();

        var snippets = SNIPPET.matcher(corpus);
        while (snippets.find()) {
            var name = snippets.group(1);
            var body = snippets.group(2);
            var arrow = "const code = async () => " + body + ";";
            var result = CodeClosure.compile(ClosureModules.of(arrow)).flatMap(closure -> closure.call(Json.object()));
            if (result.isPresent()) {
                kept.add(name);
                assertThat(expected.path(name).path("value")).as(name).isEqualTo(result.get());
            }
        }
        assertThat(kept).hasSizeGreaterThan(10);
    }

    @Test
    void givesTheResultsOfAWorker_forCompiledTypeScript() {
        var source = """
                interface Item { price: number; count: number }
                const round = (n: number): number => Math.round(n * 100) / 100;
                // Größe
                export const code = async (inputs: { name: string; items: Item[] }) => {
                  const total = inputs.items.reduce((s, i) => s + i.price * i.count, 0);
                  if (total > 1000) { return { total: round(total), "dear": true, }; }
                  let text = 'Größe "é" 😀' as string
                  return { total, label: `${inputs.name}: ${total.toFixed(2)}`, text, n: 1_000, f: .5 };
                };
                """;
        var inputs = ClosureModules.read("{'name':'Ada','items':[{'price':1.5,'count':3},{'price':0.1,'count':2}]}");

        var closure = CodeClosure.compile(bench.compile(source).javaScript()).orElseThrow();
        var output = closure.call(inputs).orElseThrow();

        assertThat(new CodeResult.Returned(output, ConsoleLog.empty())).isEqualTo(bench.run(source, inputs));
    }
}
