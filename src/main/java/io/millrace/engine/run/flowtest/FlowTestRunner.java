package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.RedecisionVerdict;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.redecide.StepChanges;
import io.millrace.engine.run.redecide.WalkRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Executes tests on one version. Pure: the walk of the re-decider has no way to the outside, and steps that reach outside
 * are answered by fixtures. Stateless and thread-safe; the work of one test is bounded by the walk.
 */
public final class FlowTestRunner {
    /** Time of a test that does not fix one. */
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Redecider redecider;

    /** @param truncation the one of the server: a long input is compared in the form of a log */
    public FlowTestRunner(InputTruncation truncation) {
        this.redecider = new Redecider(truncation);
    }

    public record Result(
            FlowTestCase test, State state, ObjectNode json, Collection<BranchCoverage.BranchKey> reached) {
        public Result {
            reached = List.copyOf(reached);
        }
    }

    public enum State {
        PASSED,
        FAILED,
        /** The flow asks for something that no fixture answers. */
        STALE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Result run(FlowTestCase test, CompiledFlow flow) {
        var content = test.content();
        var fixtures = new FixtureSet(content.path(FlowTestCase.FIXTURES));
        var now = content.has(FlowTestCase.NOW)
                ? Instant.parse(content.get(FlowTestCase.NOW).asText())
                : NOW;
        var trigger = flow.trigger();
        var event = RunRecording.ofTrigger(trigger.name(), trigger.type(), content.path(FlowTestCase.TRIGGER), now);
        var walk = redecider.redecide(event, flow, StepChanges.ALL_NEW, WalkRequest.testing(fixtures, _ -> {}));
        var found = Observation.of(flow, walk.steps());
        var json = Json.object().put("testId", test.id()).put("name", test.name());
        return switch (walk.verdict()) {
            case RedecisionVerdict.Unknown(var path, var reason) -> stale(test, json, path, reason, found);
            case RedecisionVerdict.NotRecomputable(var path, var reason) -> stale(test, json, path, reason, found);
            case RedecisionVerdict.Same _, RedecisionVerdict.Different _ -> judged(test, json, found, fixtures);
        };
    }

    private static Result stale(FlowTestCase test, ObjectNode json, String path, String reason, Observation found) {
        json.put("state", State.STALE.text()).put("differencesCount", 0);
        json.putArray("differences");
        var text = reason.equals("it has no recorded result") ? "no fixture answers it" : reason;
        json.putObject("stale").put("step", path).put("reason", text);
        return new Result(test, State.STALE, json, found.reached());
    }

    private static Result judged(FlowTestCase test, ObjectNode json, Observation found, FixtureSet fixtures) {
        var differences =
                Expectations.differences(test.content().path(FlowTestCase.EXPECTATIONS), found, fixtures.end());
        var state = differences.count() == 0 ? State.PASSED : State.FAILED;
        json.put("state", state.text()).put("differencesCount", differences.count());
        json.set("differences", differences.shown());
        json.putNull("stale");
        return new Result(test, state, json, found.reached());
    }

    public static ObjectNode report(CompiledFlow flow, List<Result> results) {
        var json = Json.object().put("flowId", flow.flowId()).put("flowVersionId", flow.flowVersionId());
        for (var state : State.values()) {
            json.put(
                    state.text(),
                    results.stream().filter(result -> result.state() == state).count());
        }
        var coverage = new BranchCoverage(flow);
        var list = json.putArray("results");
        for (var result : results) {
            list.add(result.json());
            coverage.add(result.reached());
        }
        json.set("coverage", coverage.toJson());
        return json;
    }
}
