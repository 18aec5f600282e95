package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.List;

/**
 * Enclosing construct of the sequence that is being walked; decides the next step at the end of the sequence. Frames
 * are linked from the innermost outwards and never change, so positions share them.
 */
sealed interface Frame {
    /** The top level: at its end the run has succeeded. */
    enum Root implements Frame {
        ROOT
    }

    /**
     * An iteration of a loop.
     *
     * @param iteration 0-based; -1 before the first
     */
    record LoopFrame(ExecutableLoop loop, StepPath at, int iteration, int count, Frame outer) implements Frame {
        boolean hasMore() {
            return iteration + 1 < count;
        }

        LoopFrame advanced() {
            return new LoopFrame(loop, at, iteration + 1, count, outer);
        }
    }

    /**
     * A branch of a router.
     *
     * @param branch index of the branch; -1 before the first
     */
    record RouterFrame(ExecutableRouter router, StepPath at, List<Boolean> evaluation, int branch, Frame outer)
            implements Frame {
        /** The next branch to walk: the first true one, or every true one in index order (contract 9.3). */
        int nextBranch() {
            if (branch != RunPlan.NONE && router.firstMatchOnly()) {
                return RunPlan.NONE;
            }
            for (var candidate = branch + 1; candidate < evaluation.size(); candidate++) {
                if (evaluation.get(candidate)) {
                    return candidate;
                }
            }
            return RunPlan.NONE;
        }

        RouterFrame advancedTo(int nextBranch) {
            return new RouterFrame(router, at, evaluation, nextBranch, outer);
        }
    }

    /** The sequence that depends on the outcome of a step with continue-on-failure. */
    record OutcomeFrame(ExecutableAction step, StepPath at, Frame outer) implements Frame {}
}
