package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Phase;
import io.millrace.engine.run.machine.RunState.Phase.EvaluatingBranches;
import io.millrace.engine.run.machine.RunState.Phase.Executing;
import io.millrace.engine.run.machine.RunState.Phase.ResolvingItems;
import io.millrace.engine.run.machine.RunState.Phase.WaitingToRetry;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Ignored;

/** Explains why an event does not apply: "expected X, but found Y". */
final class Expectation {
    private Expectation() {}

    static Ignored unmet(RunPlan plan, RunState state, RunEvent event) {
        return new Ignored("expected " + expected(plan, state) + ", but found " + found(plan, event));
    }

    private static String expected(RunPlan plan, RunState state) {
        return switch (state) {
            case Queued _ -> "the run to begin";
            case Running running -> expected(plan, running.at(), running.phase());
            case Paused paused -> "nothing but the end while " + paused.at().text(plan) + " waits";
            case Ended ended -> "nothing after the end " + ended.status();
        };
    }

    private static String expected(RunPlan plan, StepPath at, Phase phase) {
        var step = at.text(plan);
        return switch (phase) {
            case Executing executing -> "the outcome of " + step + " (attempt " + executing.attempt() + ")";
            case WaitingToRetry waiting -> "the retry of " + step + " (attempt " + waiting.attempt() + ")";
            case ResolvingItems _ -> "the items of " + step;
            case EvaluatingBranches _ -> "the branches of " + step;
        };
    }

    private static String found(RunPlan plan, RunEvent event) {
        var name = event.getClass().getSimpleName();
        if (event instanceof Answer answer) {
            return name + " of " + answer.path().text(plan) + " (attempt " + answer.attempt() + ")";
        }
        return name;
    }
}
