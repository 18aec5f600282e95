package io.millrace.engine.run.machine;

import java.util.Arrays;

/**
 * Identifies one execution of a step: the step's index in its plan and the iteration of every enclosing loop, outermost
 * first. Paths of one iteration share their numbers, so a move within a sequence costs one small object.
 */
public final class StepPath {
    public static final StepPath TRIGGER = new StepPath(RunPlan.NONE, new int[0]);

    private final int step;
    private final int[] iterations;

    private StepPath(int step, int[] iterations) {
        this.step = step;
        this.iterations = iterations;
    }

    public static StepPath of(int step, int... iterations) {
        return new StepPath(step, iterations.clone());
    }

    /** Index of the step in its plan; {@link RunPlan#NONE} for the trigger. */
    public int step() {
        return step;
    }

    public int depth() {
        return iterations.length;
    }

    /** The 0-based iteration of the enclosing loop at a level; level 0 is the outermost loop. */
    public int iteration(int level) {
        return iterations[level];
    }

    StepPath beside(int otherStep) {
        return new StepPath(otherStep, iterations);
    }

    StepPath inside(int iteration, int bodyStep) {
        var deeper = Arrays.copyOf(iterations, iterations.length + 1);
        deeper[iterations.length] = iteration;
        return new StepPath(bodyStep, deeper);
    }

    /** The path as text, such as {@code step_2[0].step_3}; unique within a run. */
    public String text(RunPlan plan) {
        if (step == RunPlan.NONE) {
            return "trigger";
        }
        if (step < 0 || step >= plan.steps().size()) {
            return "an unknown step (" + this + ")";
        }
        var name = plan.step(step).name();
        return iterations.length == 0 ? name : enclosing(plan) + name;
    }

    private String enclosing(RunPlan plan) {
        var text = new StringBuilder();
        var loop = plan.loopAround(step);
        for (var level = iterations.length - 1; level >= 0 && loop != RunPlan.NONE; level--) {
            text.insert(0, plan.step(loop).name() + "[" + iterations[level] + "].");
            loop = plan.loopAround(loop);
        }
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof StepPath path && step == path.step && Arrays.equals(iterations, path.iterations);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(iterations) + step;
    }

    @Override
    public String toString() {
        return step + Arrays.toString(iterations);
    }
}
