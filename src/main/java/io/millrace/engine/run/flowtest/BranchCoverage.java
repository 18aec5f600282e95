package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Branches of routers and bodies of loops of a version, and which of them the tests reached. Skipped steps are left out. */
final class BranchCoverage {
    /**
     * A branch, or the body of a loop.
     *
     * @param step index of the step in the plan
     * @param branch index of the branch; 0 for a body
     */
    record BranchKey(int step, int branch) {}

    private record Place(String stepName, String kind, String name) {}

    private final Map<BranchKey, Place> places = new LinkedHashMap<>();
    private final Map<BranchKey, Boolean> reached = new LinkedHashMap<>();

    BranchCoverage(CompiledFlow flow) {
        for (var step : flow.plan().steps().reversed()) {
            if (step.skip()) {
                continue;
            }
            if (step instanceof PlanStep.ExecutableLoop loop && loop.body() != RunPlan.NONE) {
                places.put(new BranchKey(step.index(), 0), new Place(step.name(), "LOOP_BODY", "body"));
            } else if (step instanceof PlanStep.ExecutableRouter
                    && flow.step(step.index()).work() instanceof Work.OfRouter router) {
                for (var branch = 0; branch < router.branches().size(); branch++) {
                    var name = router.branches()
                            .get(branch)
                            .taken()
                            .path("branchName")
                            .asText();
                    places.put(new BranchKey(step.index(), branch), new Place(step.name(), "BRANCH", name));
                }
            }
        }
    }

    void add(Collection<BranchKey> found) {
        for (var one : found) {
            if (places.containsKey(one)) {
                reached.put(one, true);
            }
        }
    }

    ObjectNode toJson() {
        var json = Json.object().put("reached", reached.size()).put("all", places.size());
        var list = json.putArray("branches");
        places.forEach((key, place) -> list.addObject()
                .put("step", place.stepName())
                .put("kind", place.kind())
                .put("name", place.name())
                .put("reached", reached.containsKey(key)));
        return json;
    }
}
