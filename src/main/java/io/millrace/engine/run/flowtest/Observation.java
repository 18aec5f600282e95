package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Content of the log of a run or of a walk: answer, branches, calls and results by path. Both logs have the order of
 * execution.
 */
final class Observation {
    /** A call of a step that reaches outside. */
    record Call(String path, String name, JsonNode input) {}

    private final CompiledFlow flow;
    private final Map<String, PlanStep> plan;
    private final Map<String, ArrayNode> branches = new LinkedHashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, ObjectNode> records = new LinkedHashMap<>();
    private final List<BranchCoverage.BranchKey> reached = new ArrayList<>();
    private Optional<JsonNode> answer = Optional.empty();

    private Observation(CompiledFlow flow) {
        this.flow = flow;
        this.plan = new HashMap<>();
        flow.plan().steps().forEach(step -> plan.put(step.name(), step));
    }

    /** Steps that the version does not have are left out. */
    static Observation of(CompiledFlow flow, ObjectNode steps) {
        var seen = new Observation(flow);
        seen.read(steps, "");
        return seen;
    }

    /** Recursion as deep as loops are nested, which the editor bounds. */
    private void read(JsonNode map, String prefix) {
        for (var entry : map.properties()) {
            var step = plan.get(entry.getKey());
            if (step == null || !(entry.getValue() instanceof ObjectNode stepRecord)) {
                continue;
            }
            var path = prefix + step.name();
            records.put(path, stepRecord);
            switch (step) {
                case PlanStep.ExecutableAction action -> readAction(action, path, stepRecord);
                case PlanStep.ExecutableRouter router -> readRouter(router, path, stepRecord);
                case PlanStep.ExecutableLoop loop -> {
                    var iterations = stepRecord.path("output").path("iterations");
                    if (!iterations.isEmpty()) {
                        reached.add(new BranchCoverage.BranchKey(loop.index(), 0));
                    }
                    for (var index = 0; index < iterations.size(); index++) {
                        read(iterations.get(index), path + "[" + index + "].");
                    }
                }
            }
        }
    }

    private void readAction(PlanStep.ExecutableAction action, String path, ObjectNode stepRecord) {
        if (action.reach() == StepReach.OUTSIDE) {
            calls.add(new Call(path, action.name(), stepRecord.path("input")));
        }
        if (answer.isEmpty()
                && action.reach() == StepReach.PURE
                && flow.answersWith(action.index())
                && stepRecord.path("status").asText().equals("SUCCEEDED")) {
            answer = Optional.of(stepRecord.path("output"));
        }
    }

    private void readRouter(PlanStep.ExecutableRouter router, String path, ObjectNode stepRecord) {
        var taken = Json.array();
        var branch = 0;
        for (var one : stepRecord.path("output").path("branches")) {
            if (one.path("evaluation").asBoolean()) {
                taken.add(one.path("branchName"));
                reached.add(new BranchCoverage.BranchKey(router.index(), branch));
                if (router.firstMatchOnly()) {
                    break;
                }
            }
            branch++;
        }
        branches.put(path, taken);
    }

    Optional<JsonNode> answer() {
        return answer;
    }

    /** Names of the branches taken, by the path of their router. */
    Map<String, ArrayNode> branches() {
        return branches;
    }

    List<Call> calls() {
        return calls;
    }

    Map<String, ObjectNode> records() {
        return records;
    }

    List<BranchCoverage.BranchKey> reached() {
        return reached;
    }
}
