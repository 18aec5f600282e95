package io.millrace.engine.run.redecide;

import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Differences of two versions of a flow by step name.
 *
 * @param known steps of the version that was recorded
 * @param changed steps of both versions whose settings differ
 * @param otherCalls changed steps whose recorded result does not apply to the new step: another action, or other code
 * @param outside steps of the recorded version that reach outside
 */
public record StepChanges(Set<String> known, Set<String> changed, Set<String> otherCalls, Set<String> outside) {
    public static final StepChanges ALL_NEW = new StepChanges(Set.of(), Set.of(), Set.of(), Set.of());

    public static StepChanges between(StepTree recorded, CompiledFlow recordedFlow, StepTree target) {
        var before = byName(recorded);
        var changed = new HashSet<String>();
        var otherCalls = new HashSet<String>();
        for (var entry : byName(target).entrySet()) {
            var old = before.get(entry.getKey());
            if (old != null && isOther(old, entry.getValue())) {
                changed.add(entry.getKey());
                if (callsOther(old, entry.getValue())) {
                    otherCalls.add(entry.getKey());
                }
            }
        }
        return new StepChanges(
                Set.copyOf(before.keySet()), Set.copyOf(changed), Set.copyOf(otherCalls), outsideSteps(recordedFlow));
    }

    boolean isKnown(String name) {
        return known.contains(name);
    }

    boolean isChanged(String name) {
        return changed.contains(name);
    }

    private static Map<String, ActionStep> byName(StepTree tree) {
        var steps = new HashMap<String, ActionStep>();
        for (Step step : tree.steps()) {
            if (step instanceof ActionStep action) {
                steps.put(action.name(), action);
            }
        }
        return steps;
    }

    private static boolean isOther(ActionStep before, ActionStep now) {
        return before.type() != now.type()
                || before.isSkipped() != now.isSkipped()
                || !before.settings().equals(now.settings());
    }

    private static boolean callsOther(ActionStep before, ActionStep now) {
        if (before instanceof PieceStep old && now instanceof PieceStep step) {
            return !old.pieceName().equals(step.pieceName())
                    || !old.actionName().equals(step.actionName());
        }
        return before.type() != now.type()
                || !before.settings().path("sourceCode").equals(now.settings().path("sourceCode"));
    }

    private static Set<String> outsideSteps(CompiledFlow flow) {
        var names = new HashSet<String>();
        for (var step : flow.plan().steps()) {
            if (step instanceof PlanStep.ExecutableAction act && act.reach() == StepReach.OUTSIDE) {
                names.add(act.name());
            }
        }
        return Set.copyOf(names);
    }
}
