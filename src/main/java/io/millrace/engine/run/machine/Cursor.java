package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.Frame.LoopFrame;
import io.millrace.engine.run.machine.Frame.OutcomeFrame;
import io.millrace.engine.run.machine.Frame.Root;
import io.millrace.engine.run.machine.Frame.RouterFrame;
import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.List;

/**
 * Position of a run: a step, and the frames around it. Immutable; each move returns a new cursor or {@link #END}. Moves
 * never recurse, so neither long loops nor long sequences grow the stack.
 */
public record Cursor(StepPath at, Frame frame) {
    static final Cursor END = new Cursor(StepPath.TRIGGER, Root.ROOT);

    static Cursor start(RunPlan plan) {
        return settle(plan, plan.first(), StepPath.TRIGGER, Root.ROOT);
    }

    boolean isEnd() {
        return at.step() == RunPlan.NONE;
    }

    /** Position after a step that has ended; its outcome matters only to continue-on-failure branches. */
    Cursor after(RunPlan plan, ExecutableAction step, boolean succeeded) {
        var branch = succeeded ? step.onSuccess() : step.onFailure();
        if (!step.policy().continueOnFailure() || branch == RunPlan.NONE) {
            return settle(plan, step.next(), at, frame);
        }
        return settle(plan, branch, at, new OutcomeFrame(step, at, frame));
    }

    /** Position in the first iteration of a loop, or after a loop without anything to walk. */
    Cursor into(RunPlan plan, ExecutableLoop loop, int count) {
        if (plan.firstActive(loop.body()) == RunPlan.NONE) {
            return settle(plan, loop.next(), at, frame);
        }
        return settle(plan, RunPlan.NONE, at, new LoopFrame(loop, at, -1, count, frame));
    }

    /** Position in the first branch that is to be walked, or after the router. */
    Cursor into(RunPlan plan, ExecutableRouter router, List<Boolean> evaluation) {
        return settle(plan, RunPlan.NONE, at, new RouterFrame(router, at, evaluation, -1, frame));
    }

    /** Returns whether this is the first step of an iteration; a body's first step is reached in no other way. */
    boolean beginsIteration(RunPlan plan) {
        return frame instanceof LoopFrame inner
                && at.step() == plan.firstActive(inner.loop().body());
    }

    /** The next step to walk: the one at the index, or the successor in the enclosing frames without one. */
    private static Cursor settle(RunPlan plan, int index, StepPath from, Frame around) {
        var step = plan.firstActive(index);
        var near = from;
        var frame = around;
        while (step == RunPlan.NONE) {
            switch (frame) {
                case Root _ -> {
                    return END;
                }
                case LoopFrame inner
                when inner.hasMore() -> {
                    var advanced = inner.advanced();
                    frame = advanced;
                    step = plan.firstActive(inner.loop().body());
                    near = inner.at().inside(advanced.iteration(), step);
                }
                case LoopFrame inner -> {
                    frame = inner.outer();
                    step = plan.firstActive(inner.loop().next());
                    near = inner.at();
                }
                case RouterFrame inner -> {
                    var branch = inner.nextBranch();
                    var left = branch == RunPlan.NONE;
                    frame = left ? inner.outer() : inner.advancedTo(branch);
                    step = plan.firstActive(
                            left
                                    ? inner.router().next()
                                    : inner.router().branches().get(branch));
                    near = inner.at();
                }
                case OutcomeFrame inner -> {
                    frame = inner.outer();
                    step = plan.firstActive(inner.step().next());
                    near = inner.at();
                }
            }
        }
        return new Cursor(near.step() == step ? near : near.beside(step), frame);
    }
}
