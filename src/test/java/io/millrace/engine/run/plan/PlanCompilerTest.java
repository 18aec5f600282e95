package io.millrace.engine.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.trigger.TriggerHook;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.code.compiler.CodeCompiler;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCompilerTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30Z");
    private static final String CODE = "export const code = async () => 1;";

    @TempDir
    private static Path directory;

    private static Vertx vertx;
    private static PlanCompiler compiler;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        var pieces = new PieceCatalogue(Builtins.all(InstantSource.fixed(NOW), RandomGenerator.of("L64X128MixRandom")));
        var code = new CodeCompiler(
                vertx, directory, new Isolation(Isolation.Settings.of(directory.resolve("isolation"))));
        compiler = new PlanCompiler(
                pieces,
                (_, step, _) -> code.compile(step.code(), step.packageJson()),
                new InputTruncation(Long.MAX_VALUE));
    }

    @AfterAll
    static void stop() {
        Waiting.await(vertx.close());
    }

    @Test
    void linksASequence() {
        // when
        var flow = compiled(FlowScript.webhook().map("step_1", "{}").map("step_2", "{}"));

        // then
        var steps = stepsByName(flow);
        assertThat(flow.plan().first()).isEqualTo(steps.get("step_1").index());
        assertThat(steps.get("step_1").next()).isEqualTo(steps.get("step_2").index());
        assertThat(steps.get("step_2").next()).isEqualTo(RunPlan.NONE);
    }

    @Test
    void nestsLoops_andKnowsTheLoopsAroundAStep() {
        // when
        var flow = compiled(FlowScript.webhook()
                .loop(
                        "outer",
                        "{{trigger.output}}",
                        FlowScript.steps()
                                .loop(
                                        "inner",
                                        "{{outer.output.item}}",
                                        FlowScript.steps().map("deep", "{}"))
                                .map("after_inner", "{}"))
                .map("last", "{}"));

        // then
        var steps = stepsByName(flow);
        var outer = (PlanStep.ExecutableLoop) steps.get("outer");
        var inner = (PlanStep.ExecutableLoop) steps.get("inner");
        assertThat(outer.body()).isEqualTo(inner.index());
        assertThat(outer.next()).isEqualTo(steps.get("last").index());
        assertThat(inner.body()).isEqualTo(steps.get("deep").index());
        assertThat(inner.next()).isEqualTo(steps.get("after_inner").index());
        assertThat(flow.step(steps.get("deep").index()).loops()).containsExactly("outer", "inner");
        assertThat(flow.step(inner.index()).loops()).containsExactly("outer");
        assertThat(flow.step(outer.index()).loops()).isEmpty();
    }

    @Test
    void keepsTheOrderOfBranches_emptyOnesToo() {
        // when
        var flow = compiled(FlowScript.webhook()
                .firstMatch(
                        "router",
                        Branch.whenEqual("B1", "a", "a", FlowScript.steps()),
                        Branch.otherwise(FlowScript.steps().map("other", "{}")))
                .allMatches("every", Branch.otherwise(FlowScript.steps())));

        // then
        var steps = stepsByName(flow);
        var router = (PlanStep.ExecutableRouter) steps.get("router");
        assertThat(router.firstMatchOnly()).isTrue();
        assertThat(router.branches())
                .containsExactly(RunPlan.NONE, steps.get("other").index());
        assertThat(((PlanStep.ExecutableRouter) steps.get("every")).firstMatchOnly())
                .isFalse();
    }

    @Test
    void givesEveryBranchASequence_whenARouterHasOtherChildren() {
        // given three children for two branches
        var script = FlowScript.webhook()
                .firstMatch(
                        "router",
                        Branch.whenEqual("B1", "a", "a", FlowScript.steps().map("step_1", "{}")),
                        Branch.otherwise(FlowScript.steps()));
        var operation = script.importOperation("Mill");
        ((ArrayNode) operation.at("/request/trigger/nextAction/children"))
                .add(FlowScript.webhook().map("step_2", "{}").tree().get("nextAction"));

        // when
        var flow = compiled(operation);

        // then
        assertThat(((PlanStep.ExecutableRouter) stepsByName(flow).get("router")).branches())
                .hasSize(2);
        assertThat(stepsByName(flow)).doesNotContainKey("step_2");
    }

    @Test
    void takesTheOptionsOfActingSteps() {
        // when
        var flow = compiled(FlowScript.webhook()
                .code("step_1", CODE)
                .continuing(
                        FlowScript.steps().map("went_well", "{}"),
                        FlowScript.steps().map("went_wrong", "{}"))
                .map("step_2", "{}")
                .retrying()
                .map("step_3", "{}")
                .skipped());

        // then
        var steps = stepsByName(flow);
        var code = (PlanStep.ExecutableAction) steps.get("step_1");
        assertThat(code.policy().continueOnFailure()).isTrue();
        assertThat(code.reach()).isEqualTo(StepReach.ISOLATED);
        assertThat(code.onSuccess()).isEqualTo(steps.get("went_well").index());
        assertThat(code.onFailure()).isEqualTo(steps.get("went_wrong").index());
        var map = (PlanStep.ExecutableAction) steps.get("step_2");
        assertThat(map.policy().retryOnFailure()).isTrue();
        assertThat(map.reach()).isEqualTo(StepReach.PURE);
        assertThat(steps.get("step_3").skip()).isTrue();
    }

    @Test
    void leavesAStepWithoutItsPieceInThePlan() {
        // when
        var flow = compiled(FlowScript.webhook()
                .map("step_1", "{}")
                .piece("step_2", "@acme/piece-gone", "1.0.0", "go", FlowScript.json("{}"))
                .piece("step_3", "@activepieces/piece-delay", "0.3.26", "vanish", FlowScript.json("{}")));

        // then
        var steps = stepsByName(flow);
        assertThat(flow.step(steps.get("step_2").index()).work())
                .isEqualTo(new CompiledFlow.Work.Missing(
                        "PieceNotFoundError", "piece @acme/piece-gone 1.0.0 is not installed"));
        assertThat(flow.step(steps.get("step_3").index()).work()).isInstanceOf(CompiledFlow.Work.Missing.class);
    }

    @Test
    void knowsWhichStepsAnswerTheCaller() {
        // when
        var flow = compiled(FlowScript.webhook().map("step_1", "{}").returnJson("step_2", "{}"));

        // then
        var steps = stepsByName(flow);
        assertThat(flow.answersWith(steps.get("step_1").index())).isFalse();
        assertThat(flow.answersWith(steps.get("step_2").index())).isTrue();
    }

    @Test
    void compilesAFlowWithoutTrigger_toOneThatCannotStart() {
        // when
        var flow = Waiting.await(compiler.compile(empty(), "project00000000000001", PieceScope.EVERYBODY));

        // then
        assertThat(flow.trigger().hook()).isInstanceOf(TriggerHook.Missing.class);
        assertThat(flow.plan().first()).isEqualTo(RunPlan.NONE);
    }

    private static Map<String, PlanStep> stepsByName(CompiledFlow flow) {
        return flow.plan().steps().stream().collect(Collectors.toMap(PlanStep::name, Function.identity()));
    }

    private static CompiledFlow compiled(FlowScript script) {
        return compiled(script.importOperation("Mill"));
    }

    private static CompiledFlow compiled(ObjectNode importOperation) {
        var operation = (FlowOperation.VersionEdit) FlowOperation.parse(importOperation);
        var version = FlowEditor.apply(empty(), operation, new FlowEditor.Context(NOW, "user0000000000000user"));
        return Waiting.await(compiler.compile(version, "project00000000000001", PieceScope.EVERYBODY));
    }

    private static FlowVersion empty() {
        return FlowVersion.empty("version00000000000001", "flow00000000000000001", "My flow", NOW);
    }
}
