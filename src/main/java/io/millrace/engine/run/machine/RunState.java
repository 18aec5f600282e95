package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.Optional;

/** Where a run is in its life (contract flows-and-engine 5.2). Every change comes from {@link RunMachine}. */
public sealed interface RunState {
    /**
     * Waiting to begin: a new run, one found after a crash, or one whose failed steps are to be tried again.
     *
     * @param stored whether the run and its payload are durable already
     */
    record Queued(LogBudget budget, boolean stored) implements RunState {}

    /** Walking, and waiting for the answer that the phase names. */
    record Running(Cursor cursor, Phase phase, Progress progress) implements RunState {
        /** The step whose answer is awaited. */
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
     * Waiting at a waitpoint, as soon as everything recorded is durable. Whoever completes the waitpoint makes the run
     * anew, Queued, so there is no way back from here (decision 0010).
     *
     * @param at the step that paused
     */
    record Paused(StepPath at, int stepsCount) implements RunState {}

    /**
     * Over, for good.
     *
     * @param failedStep the step that ended the run, or at which the run stood when it was ended as a failure
     * @param message why, in words, where there is more to say than the status
     */
    record Ended(EndStatus status, Optional<StepPath> failedStep, Optional<String> message, int stepsCount)
            implements RunState {}

    /** What a running run waits for. */
    sealed interface Phase {
        /** The attempt whose answer is awaited, from 1; loops and routers have only one. */
        default int attempt() {
            return 1;
        }

        /** The step's outcome. */
        record Executing(ExecutableAction step, int attempt) implements Phase {}

        /** The moment at which the attempt is due. */
        record WaitingToRetry(ExecutableAction step, int attempt) implements Phase {}

        /** The number of a loop's items. */
        record ResolvingItems(ExecutableLoop step) implements Phase {}

        /** Which branches of a router are true. */
        record EvaluatingBranches(ExecutableRouter step) implements Phase {}
    }
}
