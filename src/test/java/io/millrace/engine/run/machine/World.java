package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.BranchesEvaluated;
import io.millrace.engine.run.machine.RunEvent.ItemsResolved;
import io.millrace.engine.run.machine.RunEvent.MemoryExceeded;
import io.millrace.engine.run.machine.RunEvent.StepFailed;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepStopped;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import java.util.Arrays;

/** Environment of the machine in a test: returns the result of each step. */
interface World {
    Answer answer(Ask ask);

    /**
     * Execution of a step.
     *
     * @param text path as text, such as {@code step_2[0].step_3}
     * @param resumed true if the step paused before and its waitpoint is completed
     */
    record Ask(StepPath path, String text, int attempt, boolean resumed) {
        Answer succeeds(long logBytes) {
            return new StepSucceeded(path, attempt, logBytes, false);
        }

        Answer succeeds() {
            return succeeds(10);
        }

        Answer fails(long logBytes) {
            return new StepFailed(path, attempt, logBytes, "boom in " + text, false);
        }

        Answer fails() {
            return fails(10);
        }

        Answer stops(long logBytes) {
            return new StepStopped(path, attempt, logBytes);
        }

        Answer pauses(long logBytes) {
            return new StepPaused(path, attempt, logBytes);
        }

        Answer runsOutOfMemory() {
            return new MemoryExceeded(path, attempt);
        }

        Answer hasItems(int count, long logBytes) {
            return new ItemsResolved(path, count, logBytes);
        }

        Answer hasItems(int count) {
            return hasItems(count, 10);
        }

        Answer evaluatesTo(Boolean... evaluation) {
            return new BranchesEvaluated(path, Arrays.asList(evaluation), 10);
        }
    }
}
