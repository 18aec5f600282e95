package io.millrace.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Json;
import io.millrace.engine.run.flowtest.FlowTestRunner;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Tests of a flow of four steps per second on one thread: a mapping, two calls that fixtures answer, and the answer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FlowTestBenchmark {
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30Z");

    private FlowTestRunner runner;
    private CompiledFlow flow;
    private FlowTestCase test;

    @Setup
    public void compile() {
        var compiler = PlanCompiler.withoutCode(
                new PieceCatalogue(Builtins.all(InstantSource.fixed(NOW), RandomGenerator.of("L64X128MixRandom"))),
                new InputTruncation(2_048));
        var operation = (FlowOperation.VersionEdit) FlowOperation.parse(operation());
        var empty = FlowVersion.empty("version00000000000001", "flow00000000000000001", "Mill", NOW);
        var version = FlowEditor.apply(empty, operation, new FlowEditor.Context(NOW, "user0000000000000user"));
        flow = compiler.compile(version, "project00000000000001", PieceScope.EVERYBODY).result();
        runner = new FlowTestRunner(new InputTruncation(2_048));
        test = new FlowTestCase("t1", "T", (ObjectNode) Json.trusted("""
                {"trigger":{"body":{"x":2}},"fixtures":{"steps":{"step_2":1,"step_3":{"id":7}}},
                 "expectations":{"status":"SUCCEEDED","answer":{"status":200,"body":{"sum":2}},
                  "calls":[{"step":"step_2"},{"step":"step_3"}]}}
                """));
        var result = runner.run(test, flow);
        if (result.state() != FlowTestRunner.State.PASSED) {
            throw new IllegalStateException("expected a test that passes, found " + result.json());
        }
    }

    private static ObjectNode operation() {
        var mapping = Json.object();
        mapping.putObject("mapping").put("sum", "{{trigger.output.body.x}}");
        var answer = Json.object().put("responseType", "json").put("respond", "stop");
        answer.putObject("fields").put("status", 200).putObject("body").put("sum", "{{trigger.output.body.x}}");
        var step4 = step("step_4", "@activepieces/piece-webhook", "0.1.29", "return_response", answer, null);
        var step3 = step("step_3", "@activepieces/piece-store", "0.6.20", "put", stored(), step4);
        var step2 = step("step_2", "@activepieces/piece-store", "0.6.20", "put", stored(), step3);
        var step1 = step("step_1", "@activepieces/piece-data-mapper", "0.3.15", "advanced_mapping", mapping, step2);
        var trigger = part("trigger", "PIECE_TRIGGER").put("lastUpdatedDate", "2026-01-05T10:20:30.000Z");
        var settings = settings("@activepieces/piece-webhook", "0.1.29", Json.object().put("authType", "none"));
        trigger.set("settings", settings.put("triggerName", "catch_webhook"));
        trigger.set("nextAction", step1);
        var request = Json.object().put("displayName", "Mill").put("schemaVersion", FlowVersion.SCHEMA_VERSION);
        request.set("trigger", trigger);
        var operation = Json.object().put("type", "IMPORT_FLOW");
        return operation.set("request", request);
    }

    private static ObjectNode stored() {
        return Json.object().put("key", "k").put("value", "{{step_1.output.sum}}").put("store_scope", "FLOW");
    }

    private static ObjectNode step(
            String name, String piece, String version, String action, ObjectNode input, ObjectNode next) {
        var step = part(name, "PIECE").put("lastUpdatedDate", "2026-01-05T10:20:30.000Z");
        step.set("settings", settings(piece, version, input).put("actionName", action));
        if (next != null) {
            step.set("nextAction", next);
        }
        return step;
    }

    private static ObjectNode part(String name, String type) {
        return Json.object().put("name", name).put("displayName", name).put("type", type).put("valid", true);
    }

    private static ObjectNode settings(String piece, String version, ObjectNode input) {
        var settings = Json.object().put("pieceName", piece).put("pieceVersion", version);
        settings.set("input", input);
        settings.set("propertySettings", Json.object());
        return settings;
    }

    @Benchmark
    public FlowTestRunner.Result run() {
        return runner.run(test, flow);
    }
}
