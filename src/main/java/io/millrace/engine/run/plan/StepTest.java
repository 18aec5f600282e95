package io.millrace.engine.run.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.plan.CompiledFlow.CompiledStep;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Surroundings of a step that is tested alone: the samples of the other steps, and the loops around it (contract
 * flows-and-engine 6.7). Belongs to one run, which enters the loops before the step is executed.
 *
 * @param samples records of the other steps, as if they had succeeded; the loops join them as they are entered
 * @param loops the loops around the step, outermost first
 */
public record StepTest(ObjectNode samples, List<CompiledStep> loops) {
    /**
     * The flow reduced to the step. Its retries and its continuing on failure are ignored, its children are removed;
     * its skip setting has no effect.
     *
     * @param outputs sample outputs of the flow's steps, by name
     */
    static CompiledFlow of(CompiledFlow flow, String stepName, Map<String, JsonNode> outputs) {
        var step = stepOf(flow, stepName);
        var index = flow.steps().indexOf(step);
        var samples = Json.object();
        for (var other : flow.steps()) {
            var output = outputs.get(other.name());
            if (output != null && !other.name().equals(stepName)) {
                samples.set(other.name(), RunLog.record(other.type(), "SUCCEEDED", Json.object(), output, 0));
            }
        }
        var loops = step.loops().stream().map(name -> stepOf(flow, name)).toList();
        return new CompiledFlow(
                flow.flowId(),
                flow.flowVersionId(),
                flow.projectId(),
                flow.flowName(),
                new RunPlan(List.of(alone(flow.plan().step(index))), 0),
                flow.trigger(),
                List.of(new CompiledStep(step.name(), step.displayName(), step.type(), List.of(), step.work())),
                new StepTest(samples, loops));
    }

    private static CompiledStep stepOf(CompiledFlow flow, String name) {
        return flow.steps().stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.notFound("step", name));
    }

    private static PlanStep alone(PlanStep step) {
        return switch (step) {
            case PlanStep.ExecutableAction act ->
                new PlanStep.ExecutableAction(
                        0,
                        act.name(),
                        RunPlan.NONE,
                        false,
                        act.reach(),
                        new PlanStep.ExecutableAction.FailurePolicy(false, false, false),
                        RunPlan.NONE,
                        RunPlan.NONE);
            case PlanStep.ExecutableLoop loop ->
                new PlanStep.ExecutableLoop(0, loop.name(), RunPlan.NONE, false, RunPlan.NONE);
            case PlanStep.ExecutableRouter router ->
                new PlanStep.ExecutableRouter(
                        0,
                        router.name(),
                        RunPlan.NONE,
                        false,
                        router.firstMatchOnly(),
                        Collections.nCopies(router.branches().size(), RunPlan.NONE));
        };
    }

    /**
     * Enters a loop around the step with its first item; a loop without items, or without a list, leaves the item out.
     */
    public void enter(CompiledStep loop, Optional<JsonNode> firstItem) {
        var output = Json.object();
        firstItem.ifPresent(item -> output.set("item", item));
        output.put("index", 1).putArray("iterations");
        samples.set(loop.name(), RunLog.record(loop.type(), "SUCCEEDED", Json.object(), output, 0));
    }
}
