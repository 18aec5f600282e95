package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * The machine's view of a flow: its steps as a tree of indices. Compiled once per flow version and shared by its runs.
 * The constructor rejects other graphs, so a walk always ends.
 */
public final class RunPlan {
    public static final int NONE = -1;

    private final List<PlanStep> steps;
    private final int first;
    private final int[] loops;

    /**
     * Checks the tree.
     *
     * @param steps every step at the position of its index, each reached by exactly one link
     * @param first the trigger's next action, or {@link #NONE}
     * @throws IllegalArgumentException when the steps are not such a tree
     */
    public RunPlan(List<PlanStep> steps, int first) {
        this.steps = List.copyOf(steps);
        this.first = first;
        this.loops = new TreeCheck(this.steps).enclosingLoops(first);
    }

    public List<PlanStep> steps() {
        return steps;
    }

    public int first() {
        return first;
    }

    public PlanStep step(int index) {
        return steps.get(index);
    }

    /** Index of the innermost loop whose body holds the step; {@link #NONE} at the top level. */
    public int loopAround(int index) {
        return loops[index];
    }

    int firstActive(int index) {
        var candidate = index;
        while (candidate != NONE && steps.get(candidate).skip()) {
            candidate = steps.get(candidate).next();
        }
        return candidate;
    }

    /** Visits all links once, without recursion: a sequence may be thousands of steps long. */
    private static final class TreeCheck {
        private static final int UNREACHED = -2;

        private final List<PlanStep> steps;
        private final int[] loops;
        private final ArrayDeque<Integer> pending = new ArrayDeque<>();

        TreeCheck(List<PlanStep> steps) {
            this.steps = steps;
            this.loops = new int[steps.size()];
            Arrays.fill(loops, UNREACHED);
        }

        int[] enclosingLoops(int first) {
            reach(first, NONE, "the trigger");
            while (!pending.isEmpty()) {
                follow(steps.get(pending.pop()));
            }
            for (var index = 0; index < loops.length; index++) {
                if (loops[index] == UNREACHED) {
                    throw new IllegalArgumentException(
                            "expected a link to " + steps.get(index).name() + ", but found none");
                }
            }
            return loops;
        }

        private void follow(PlanStep step) {
            var loop = loops[step.index()];
            reach(step.next(), loop, step.name());
            switch (step) {
                case ExecutableAction act -> {
                    reach(act.onSuccess(), loop, act.name());
                    reach(act.onFailure(), loop, act.name());
                }
                case ExecutableLoop own -> reach(own.body(), own.index(), own.name());
                case ExecutableRouter router -> router.branches().forEach(branch -> reach(branch, loop, router.name()));
            }
        }

        private void reach(int index, int loop, String from) {
            if (index == NONE) {
                return;
            }
            if (index < 0 || index >= loops.length) {
                throw new IllegalArgumentException(
                        "expected " + from + " to lead to a step below " + loops.length + ", but found " + index);
            }
            var step = steps.get(index);
            if (step.index() != index) {
                throw new IllegalArgumentException(
                        "expected " + step.name() + " at index " + step.index() + ", but found it at " + index);
            }
            if (loops[index] != UNREACHED) {
                throw new IllegalArgumentException(
                        "expected one link to " + step.name() + ", but found another from " + from);
            }
            loops[index] = loop;
            pending.push(index);
        }
    }
}
