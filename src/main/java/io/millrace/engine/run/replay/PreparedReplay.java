package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.RunReplay;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.journal.LoggedResults;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.redecide.OutsideCall;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.Redecision;
import io.millrace.engine.run.redecide.RedecisionVerdict;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.redecide.StepChanges;
import io.millrace.engine.run.redecide.WalkRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decisions of a replay before it starts: the results that it takes over, and the calls from the replayed step on.
 *
 * @param results recorded results by path
 * @param calls recorded calls from the replayed step on
 * @param verdict end of the walk: its reason when later calls are unknown
 */
record PreparedReplay(
        String path,
        Map<String, ObjectNode> results,
        List<OutsideCall> calls,
        RedecisionVerdict verdict,
        RunReplay spec,
        Set<String> performed) {
    /**
     * Walks the version up to the step and beyond.
     *
     * @throws ApiException when the step is not in the version, or not reached with the recorded results
     */
    static PreparedReplay of(
            Redecider redecider,
            RunRecording recording,
            ReadVersions.ReadVersion target,
            StepChanges changes,
            Replays.Extent extent) {
        var flow = target.flow();
        if (recording
                .steps()
                .path(flow.trigger().name())
                .path("status")
                .asText()
                .equals("FAILED")) {
            throw ApiException.of(ErrorCode.VALIDATION, "the trigger of the run failed: expected a run with an event");
        }
        var path = ReplayPath.of(flow, extent);
        var edit = extent.input().map(input -> new WalkRequest.InputEdit(path, input));
        refuseUnanswerableEdit(flow, extent);
        var calls = new ArrayList<OutsideCall>();
        var walk = redecider.redecide(recording, flow, changes, WalkRequest.following(edit, calls::add));
        var isWhole = extent.step().equals(flow.trigger().name());
        var position = isWhole ? 0 : walk.visited().indexOf(path);
        if (position < 0) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "step " + path + " is not reached with the recorded results" + reason(walk.verdict()));
        }
        var before = new HashSet<>(walk.visited().subList(0, position));
        calls.removeIf(call -> before.contains(call.text()));
        var performed = performed(flow, extent);
        var isExact = isExact(extent);
        var results = new LinkedHashMap<String, ObjectNode>();
        LoggedResults.ended(recording.steps()).forEach((text, stepRecord) -> {
            if (before.contains(text)
                    || (isExact || isAnswered(flow, text, performed, changes)) && isNotEdited(text, path, extent)) {
                results.put(text, stepRecord);
            }
        });
        var spec = new RunReplay(
                extent.input().isPresent() ? path : null,
                extent.input().orElse(MissingNode.getInstance()),
                extent.effects().all(),
                performed,
                stopPath(recording, walk),
                target.version().updated());
        return new PreparedReplay(path, results, List.copyOf(calls), walk.verdict(), spec, performed);
    }

    /** An exact repetition takes every recorded result; otherwise steps without effects are executed again. */
    private static boolean isExact(Replays.Extent extent) {
        return extent.version() == Replays.VersionChoice.ORIGINAL
                && extent.input().isEmpty()
                && !extent.effects().all()
                && extent.effects().named().isEmpty();
    }

    private static boolean isNotEdited(String text, String path, Replays.Extent extent) {
        return extent.input().isEmpty() || !text.equals(path);
    }

    private static boolean isAnswered(CompiledFlow flow, String text, Set<String> performed, StepChanges changes) {
        var name = text.substring(text.lastIndexOf('.') + 1);
        return isOutside(flow, name)
                && !performed.contains(name)
                && !changes.otherCalls().contains(name);
    }

    static boolean isOutside(CompiledFlow flow, String name) {
        return flow.plan().steps().stream()
                .anyMatch(step -> step instanceof PlanStep.ExecutableAction act
                        && act.name().equals(name)
                        && act.reach() == StepReach.OUTSIDE);
    }

    private static Set<String> performed(CompiledFlow flow, Replays.Extent extent) {
        var names = new HashSet<String>();
        for (var step : flow.steps()) {
            if (isOutside(flow, step.name())
                    && (extent.effects().all() || extent.effects().named().contains(step.name()))) {
                names.add(step.name());
            }
        }
        for (var name : extent.effects().named()) {
            if (flow.steps().stream().noneMatch(step -> step.name().equals(name))) {
                throw invalid("effects", "the version has no step " + name);
            }
        }
        return names;
    }

    /** A recorded result does not apply to another input. */
    private static void refuseUnanswerableEdit(CompiledFlow flow, Replays.Extent extent) {
        var step = extent.step();
        if (extent.input().isEmpty()) {
            return;
        }
        var isAction = flow.plan().steps().stream()
                .anyMatch(each -> each.name().equals(step) && each instanceof PlanStep.ExecutableAction);
        if (!isAction) {
            throw invalid("input", "step " + step + " is no action or code step: only those have a replaceable input");
        }
        if (isOutside(flow, step)
                && !extent.effects().all()
                && !extent.effects().named().contains(step)) {
            throw invalid(
                    "input",
                    "step " + step
                            + " reaches outside and has no recorded result for another input: name it in effects");
        }
    }

    /** Step that ended a succeeded run before the end of its version, with a response that its record does not show. */
    private static String stopPath(RunRecording recording, Redecision walk) {
        var visited = walk.visited();
        return walk.endedBeyondRecord() && recording.status() == RunStatus.SUCCEEDED && visited.size() > 1
                ? visited.get(visited.size() - 2)
                : null;
    }

    private static String reason(RedecisionVerdict verdict) {
        return switch (verdict) {
            case RedecisionVerdict.Same _ -> "";
            case RedecisionVerdict.Different(var path, var kind, var _, var _) -> ": " + kind + " at " + path;
            case RedecisionVerdict.Unknown(var path, var reason) ->
                ": the result of " + path + " is unknown, " + reason;
            case RedecisionVerdict.NotRecomputable(var path, var reason) ->
                ": the result of " + path + " cannot be recomputed, " + reason;
        };
    }

    static ApiException invalid(String field, String message) {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/" + field + " Invalid input: " + message);
    }

    List<String> slices() {
        return results.values().stream()
                .filter(RunSlices::isIn)
                .map(RunSlices::fileIdOf)
                .toList();
    }
}
