package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import java.time.Instant;
import java.util.HashMap;

/** Makes the content of a test from a recorded run: its event, its results as fixtures, and the default expectations. */
final class RunTestMaker {
    private RunTestMaker() {}

    /**
     * Reads a log.
     *
     * @param flow version that the run executed
     * @throws ApiException VALIDATION when an output is stored apart from the log, or the trigger has none
     */
    static ObjectNode content(CompiledFlow flow, ObjectNode steps, boolean hasSucceeded, Instant startedAt) {
        var trigger = steps.path(flow.trigger().name());
        if (!trigger.has("output")) {
            throw ApiException.of(
                    ErrorCode.VALIDATION, "the trigger of the run has no output: expected a run with an event");
        }
        refuseStoredApart(flow.trigger().name(), trigger);
        var found = Observation.of(flow, steps);
        var content = Json.object();
        content.set(FlowTestCase.TRIGGER, trigger.path("output"));
        var fixtures = content.putObject(FlowTestCase.FIXTURES).putObject("steps");
        var plan = new HashMap<String, PlanStep>();
        flow.plan().steps().forEach(step -> plan.put(step.name(), step));
        found.records().forEach((path, stepRecord) -> {
            if (needsFixture(flow, plan.get(path.substring(path.lastIndexOf('.') + 1)))) {
                refuseStoredApart(path, stepRecord);
                putFixture(fixtures, path, stepRecord);
            }
        });
        content.set(FlowTestCase.EXPECTATIONS, Expectations.ofRun(found, hasSucceeded));
        return content.put(FlowTestCase.NOW, Json.timestamp(startedAt));
    }

    private static void putFixture(ObjectNode fixtures, String path, ObjectNode stepRecord) {
        switch (stepRecord.path("status").asText()) {
            case "SUCCEEDED" ->
                fixtures.set(
                        path,
                        FixtureSet.ofOutput(
                                stepRecord.has("output") ? stepRecord.get("output") : NullNode.getInstance()));
            case "FAILED" ->
                fixtures.set(
                        path,
                        FixtureSet.ofFailure(stepRecord.path("errorMessage").asText()));
            default -> {
                // A step that had no result when the run ended has no fixture.
            }
        }
    }

    private static void refuseStoredApart(String path, JsonNode stepRecord) {
        if (RunSlices.isIn(stepRecord)) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "step " + path
                            + ": expected an output in the log, found one that is stored apart because of its size; "
                            + "make the test of a run with less data");
        }
    }

    /** Steps that the re-decider does not evaluate, and pure steps whose input depends on a secret or on the sandbox. */
    private static boolean needsFixture(CompiledFlow flow, PlanStep step) {
        return step instanceof PlanStep.ExecutableAction action
                && (action.reach() != StepReach.PURE
                        || !needs(flow.step(action.index()).work()).isEmpty());
    }

    private static Needs needs(Work work) {
        return work.templates().stream().map(InputTemplate::needs).reduce(Needs.NONE, Needs::and);
    }

    static Needs needs(CompiledFlow flow) {
        return flow.steps().stream().map(step -> needs(step.work())).reduce(Needs.NONE, Needs::and);
    }
}
