package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.CompiledStep;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.program.PureProgram.Act;
import io.millrace.engine.run.program.PureProgram.Choose;
import io.millrace.engine.run.program.PureProgram.Compute;
import io.millrace.engine.run.program.PureProgram.Evaluation;
import io.millrace.engine.run.program.PureProgram.Heading;
import io.millrace.engine.run.program.PureProgram.ProgramStep;
import io.millrace.engine.run.program.PureProgram.Repeat;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.expression.closure.CodeClosure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compiles a flow version to a program, if all its steps are pure and need nothing but outputs of earlier steps. */
final class ProgramCompiler {
    private static final int STEPS_MAX = 100;

    private final CompiledFlow flow;
    private final RunPlan plan;
    private final Closures closures;
    private final Map<String, Integer> slots = new HashMap<>();

    private ProgramCompiler(CompiledFlow flow, Closures closures) {
        this.flow = flow;
        this.plan = flow.plan();
        this.closures = closures;
    }

    @FunctionalInterface
    interface Closures {
        /** Empty if the code needs a process. */
        Optional<CodeClosure> of(CodeProgram program);
    }

    /** Empty when the flow version needs the general engine. */
    static Optional<PureProgram> compile(CompiledFlow flow, Closures closures) {
        return flow.test() == null
                        && flow.trigger().isWebhook()
                        && flow.plan().steps().size() <= STEPS_MAX
                        && hasDistinctNames(flow)
                        && !readsLoops(flow)
                        && flow.plan().steps().stream().allMatch(step -> isPure(flow, step, closures))
                ? Optional.of(new ProgramCompiler(flow, closures).program())
                : Optional.empty();
    }

    private static boolean hasDistinctNames(CompiledFlow flow) {
        var names = new HashSet<String>();
        names.add(flow.trigger().name());
        return flow.steps().stream().allMatch(step -> names.add(step.name()));
    }

    /**
     * Returns whether a step reads more of a loop than its item and its index: the record grows, and a program has no
     * tree of it.
     */
    private static boolean readsLoops(CompiledFlow flow) {
        var loops = flow.steps().stream()
                .filter(step -> step.work() instanceof Work.OfLoop)
                .map(CompiledStep::name)
                .collect(Collectors.toSet());
        return !loops.isEmpty()
                && flow.steps().stream()
                        .flatMap(step -> step.work().templates().stream())
                        .anyMatch(template -> !Collections.disjoint(template.readBeyondItem(), loops));
    }

    /** A skipped step is passed over; its settings are not compiled. */
    private static boolean isPure(CompiledFlow flow, PlanStep step, Closures closures) {
        return switch (step) {
            case ExecutableAction act ->
                act.skip()
                        || switch (flow.step(act.index()).work()) {
                            case Work.OfPiece piece ->
                                act.reach() == StepReach.PURE
                                        && piece.input().needs().isEmpty();
                            case Work.OfCode(var program, var input) ->
                                act.reach() == StepReach.ISOLATED
                                        && input.needs().isEmpty()
                                        && closures.of(program).isPresent();
                            case Work.OfLoop _, Work.OfRouter _, Work.Missing _ -> false;
                        };
            case ExecutableRouter router ->
                router.skip()
                        || flow.step(router.index()).work() instanceof Work.OfRouter work
                                && work.needs().isEmpty()
                                && work.branches().size() == router.branches().size();
            case ExecutableLoop loop ->
                loop.skip()
                        || flow.step(loop.index()).work() instanceof Work.OfLoop(var items)
                                && items.needs().isEmpty();
        };
    }

    private PureProgram program() {
        var trigger = flow.trigger();
        slots.put(trigger.name(), 0);
        var head = "{" + text(trigger.name()) + ":" + recordHead(trigger.type()) + "{},\"output\":";
        var first = sequence(plan.first());
        return new PureProgram(first, Map.copyOf(slots), new LogText(head));
    }

    private @Nullable ProgramStep sequence(int index) {
        if (index == RunPlan.NONE) {
            return null;
        }
        var step = plan.step(index);
        var next = sequence(step.next());
        return step.skip() ? next : step(step, next);
    }

    private ProgramStep step(PlanStep step, @Nullable ProgramStep next) {
        var slot = slots.size();
        slots.put(step.name(), slot);
        return switch (step) {
            case ExecutableAction act -> act(act, slot, next);
            case ExecutableRouter router -> choose(router, slot, next);
            case ExecutableLoop loop -> repeat(loop, slot, next);
        };
    }

    private Heading heading(PlanStep step) {
        var type = flow.step(step.index()).type();
        return new Heading(step.name(), new LogText("," + text(step.name()) + ":" + recordHead(type)));
    }

    private Repeat repeat(ExecutableLoop loop, int slot, @Nullable ProgramStep next) {
        var firstSlot = slots.size();
        var body = sequence(loop.body());
        return new Repeat(
                slot,
                heading(loop),
                ((Work.OfLoop) flow.step(loop.index()).work()).items(),
                body,
                firstSlot,
                slots.size(),
                next);
    }

    private ProgramStep act(ExecutableAction act, int slot, @Nullable ProgramStep next) {
        var onSuccess = act.policy().continueOnFailure() ? sequence(act.onSuccess()) : null;
        return switch (flow.step(act.index()).work()) {
            case Work.OfPiece piece ->
                new Act(slot, heading(act), piece, flow.answersWith(act.index()), onSuccess, next);
            case Work.OfCode(var program, var input) ->
                new Compute(slot, heading(act), input, closures.of(program).orElseThrow(), onSuccess, next);
            case Work other -> throw new IllegalStateException("expected a pure action, found " + other);
        };
    }

    private Choose choose(ExecutableRouter router, int slot, @Nullable ProgramStep next) {
        var work = (Work.OfRouter) flow.step(router.index()).work();
        var evaluations = work.branches().stream()
                .map(branch ->
                        new Evaluation(new LogText(Json.text(branch.taken())), new LogText(Json.text(branch.passed()))))
                .toList();
        var branches = new ArrayList<@Nullable ProgramStep>();
        router.branches().forEach(branch -> branches.add(sequence(branch)));
        var logged = Json.text(work.logged());
        return new Choose(
                slot,
                heading(router),
                new LogText(logged + ",\"output\":{\"branches\":["),
                work,
                router.firstMatchOnly(),
                List.copyOf(evaluations),
                Collections.unmodifiableList(branches),
                next);
    }

    private static String recordHead(String type) {
        return "{\"type\":" + text(type) + ",\"status\":\"SUCCEEDED\",\"input\":";
    }

    private static String text(String text) {
        return Json.text(TextNode.valueOf(text));
    }
}
