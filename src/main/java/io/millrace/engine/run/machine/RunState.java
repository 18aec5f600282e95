package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.Optional;

/** State of a run (contract flows-and-engine 5.2). Every change is made by {@link RunMachine}. */
public sealed interface RunState {
    /**
     * Waiting to begin: a new run, one found after a crash, or one whose failed steps are to be retried.
     *
     * @param stored whether the run and its payload are durable already
     */
    record Queued(LogBudget budget, boolean stored) implements RunState {}

    record Running(Cursor cursor, Phase phase, Progress progress) implements RunState {
        public StepPath at() {
            return cursor.at();
        }

        Running in(Phase next) {
            return new Running(cursor, next, progress);
        }

        Running asStored() {
            return new Running(cursor, phase, progress.asStored());
        }
    }

    /**
     * Waiting at a waitpoint, as soon as everything recorded is durable. The completion of the waitpoint recreates the
     * run as Queued, so this state has no transition back (decision 0010).
     *
     * @param at the step that paused
     */
    record Paused(StepPath at, int stepsCount) implements RunState {}

    /**
     * Final state.
     *
     * @param failedStep the step that ended the run, or the step that was executing when the run was ended as a failure
     * @param message reason as text, in addition to the status
     */
    record Ended(EndStatus status, Optional<StepPath> failedStep, Optional<String> message, int stepsCount)
            implements RunState {
        public static Ended succeeded(int stepsCount) {
            return new Ended(EndStatus.SUCCEEDED, Optional.empty(), Optional.empty(), stepsCount);
        }
    }

    /** Awaited answer of a running run. */
    sealed interface Phase {
        /** The attempt whose answer is awaited, from 1; loops and routers have only one. */
        default int attempt() {
            return 1;
        }

        record Executing(ExecutableAction step, int attempt) implements Phase {}

        record WaitingToRetry(ExecutableAction step, int attempt) implements Phase {}

        record ResolvingItems(ExecutableLoop step) implements Phase {}

        record EvaluatingBranches(ExecutableRouter step) implements Phase {}
    }
}
