package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Placement;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * All steps of a flow version, and the operations that edits consist of (contract flows-and-engine 2.3, 2.11, 4.6,
 * 4.8).
 *
 * <p>Immutable. A sequence is a list, so only the nesting of loops, routers and continue-on-failure branches is deep;
 * that nesting and the number of steps are bounded, and a tree above a limit is rejected.
 */
public record StepTree(TriggerStep trigger, List<ActionStep> actions) {
    public static final int STEPS_MAX = 10_000;

    /** Deepest nesting of sequences within sequences. */
    public static final int NESTING_MAX = 50;

    public StepTree {
        actions = List.copyOf(actions);
    }

    public static StepTree stored(JsonNode trigger) {
        return TreeReader.stored(trigger);
    }

    /**
     * Parses a trigger with its links as stored by an earlier release.
     *
     * @param date date for steps without one
     */
    public static StepTree stored(JsonNode trigger, TreeMigration migration, String date) {
        return TreeReader.stored(trigger, migration, date);
    }

    public ObjectNode toJson() {
        return StepWriter.write(this);
    }

    /** All steps, depth first (2.11). */
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(trigger);
        collect(actions, steps::add);
        return steps;
    }

    static List<ActionStep> within(List<List<ActionStep>> sequences) {
        var found = new ArrayList<ActionStep>();
        sequences.forEach(sequence -> collect(sequence, found::add));
        return found;
    }

    private static void collect(List<ActionStep> sequence, java.util.function.Consumer<ActionStep> found) {
        for (var action : sequence) {
            found.accept(action);
            action.sequences().forEach(inner -> collect(inner, found));
        }
    }

    public Optional<Step> find(String name) {
        return steps().stream().filter(step -> step.name().equals(name)).findFirst();
    }

    public Optional<ActionStep> findAction(String name) {
        return within(List.of(actions)).stream()
                .filter(action -> action.name().equals(name))
                .findFirst();
    }

    public Set<String> names() {
        var names = new HashSet<String>();
        steps().forEach(step -> names.add(step.name()));
        return names;
    }

    public String freeName() {
        return new StepNameAllocator(names()).next();
    }

    public boolean isValid() {
        return steps().stream().allMatch(step -> step.valid() || step.isSkipped());
    }

    public StepTree with(TriggerStep otherTrigger) {
        return new StepTree(otherTrigger, actions);
    }

    public StepTree change(Predicate<ActionStep> which, UnaryOperator<ActionStep> edit) {
        return expand(action -> List.of(which.test(action) ? edit.apply(action) : action));
    }

    /** Removes actions with their children; their successors move up (4.8). */
    public StepTree remove(Set<String> names) {
        return expand(action -> names.contains(action.name()) ? List.of() : List.of(action));
    }

    /**
     * Inserts an action after or inside a parent (4.6). Without such a parent there is no effect; a parent that cannot
     * have children is followed by the action.
     *
     * @param placement null when absent
     * @param branchIndex null when absent
     */
    public StepTree insert(String parentName, Placement placement, Integer branchIndex, ActionStep action) {
        if (trigger.name().equals(parentName)) {
            if (isErrorBranch(placement)) {
                throw misplaced(trigger, placement);
            }
            return new StepTree(trigger, prepend(action, actions));
        }
        return expand(
                step -> step.name().equals(parentName) ? placed(step, placement, branchIndex, action) : List.of(step));
    }

    public StepTree insertAfter(String name, ActionStep action) {
        return expand(step -> step.name().equals(name) ? List.of(step, action) : List.of(step));
    }

    /** Replaces each action by the result of a function, innermost first. */
    private StepTree expand(Function<ActionStep, List<ActionStep>> edit) {
        return new StepTree(trigger, expand(actions, edit));
    }

    private static List<ActionStep> expand(List<ActionStep> sequence, Function<ActionStep, List<ActionStep>> edit) {
        var expanded = new ArrayList<ActionStep>(sequence.size() + 1);
        for (var action : sequence) {
            var isLeaf = action.sequences().stream().allMatch(List::isEmpty);
            var inner = isLeaf
                    ? action
                    : action.with(action.sequences().stream()
                            .map(each -> expand(each, edit))
                            .toList());
            expanded.addAll(edit.apply(inner));
        }
        return expanded;
    }

    private static List<ActionStep> placed(
            ActionStep parent, Placement placement, Integer branchIndex, ActionStep action) {
        return switch (parent) {
            case CodeStep _, PieceStep _
            when isErrorBranch(placement) ->
                List.of(under(parent, placement == Placement.INSIDE_ON_SUCCESS_BRANCH ? 0 : 1, action));
            case CodeStep _, PieceStep _ -> List.of(parent, action);
            case LoopStep _ when placement == Placement.INSIDE_LOOP -> List.of(under(parent, 0, action));
            case RouterStep router
            when placement == Placement.INSIDE_BRANCH && branchIndex != null ->
                List.of(underBranch(router, branchIndex, action));
            case LoopStep _, RouterStep _ -> {
                if (placement != Placement.AFTER) {
                    throw misplaced(parent, placement);
                }
                yield List.of(parent, action);
            }
        };
    }

    private static ActionStep underBranch(RouterStep router, int branchIndex, ActionStep action) {
        var aligned = router.with(router.alignedChildren());
        if (branchIndex < 0 || branchIndex >= aligned.sequences().size()) {
            throw refusal("expected a branchIndex below " + aligned.sequences().size() + " for step " + router.name()
                    + ", found " + branchIndex);
        }
        return under(aligned, branchIndex, action);
    }

    private static ActionStep under(ActionStep parent, int index, ActionStep action) {
        var sequences = new ArrayList<>(parent.sequences());
        sequences.set(index, prepend(action, sequences.get(index)));
        return parent.with(sequences);
    }

    private static List<ActionStep> prepend(ActionStep action, List<ActionStep> sequence) {
        var longer = new ArrayList<ActionStep>(sequence.size() + 1);
        longer.add(action);
        longer.addAll(sequence);
        return longer;
    }

    private static boolean isErrorBranch(Placement placement) {
        return placement == Placement.INSIDE_ON_SUCCESS_BRANCH || placement == Placement.INSIDE_ON_FAILURE_BRANCH;
    }

    /** The same tree; fails when it exceeds a limit. */
    public StepTree bounded() {
        var count = steps().size();
        if (count > STEPS_MAX) {
            throw refusal("expected at most " + STEPS_MAX + " steps, found " + count);
        }
        if (nesting(actions) > NESTING_MAX) {
            throw refusal("expected steps nested at most " + NESTING_MAX + " deep");
        }
        return this;
    }

    private static int nesting(List<ActionStep> sequence) {
        var deepest = 0;
        for (var action : sequence) {
            for (var inner : action.sequences()) {
                if (!inner.isEmpty()) {
                    deepest = Math.max(deepest, 1 + nesting(inner));
                }
            }
        }
        return deepest;
    }

    private static ApiException misplaced(Step parent, Placement placement) {
        return refusal("step " + parent.name() + " of type " + parent.type() + " takes no step at "
                + (placement == null ? "an unnamed place" : placement.name()));
    }

    public static ApiException refusal(String message) {
        return ApiException.of(ErrorCode.FLOW_OPERATION_INVALID, message);
    }
}
