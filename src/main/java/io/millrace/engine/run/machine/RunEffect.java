package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.RunState.Ended;

/**
 * Effects outside the machine. The effects of a transition are performed in their order; the answers return as events.
 * {@link Finish} is the last effect of a run.
 */
public sealed interface RunEffect extends LifecycleEffect {
    /**
     * A barrier: the run, everything recorded so far and the new state must be durable before the following effects are
     * performed.
     */
    record Commit() implements RunEffect {}

    record StartDeadline() implements RunEffect {}

    record StopDeadline() implements RunEffect {}

    /**
     * Records that the step is about to be executed: after a crash the record identifies the interrupted execution, and
     * the step fails instead of being executed again. Durable with the next {@link Commit}.
     */
    record MarkBegun(StepPath path) implements RunEffect {}

    /** Execute the step, or answer from the journal when an outcome of an earlier walk is recorded. */
    record Execute(StepPath path, int attempt) implements RunEffect {}

    record ResolveItems(StepPath path) implements RunEffect {}

    /** Adds an iteration (0-based) to the loop's record, and makes it the current one. */
    record EnterIteration(StepPath path, int iteration) implements RunEffect {}

    /** Records a number of empty iterations: the loop has a body without steps. One effect for any number of items. */
    record PassIterations(StepPath path, int count) implements RunEffect {}

    record EvaluateBranches(StepPath path) implements RunEffect {}

    record DiscardAttempt(StepPath path) implements RunEffect {}

    /** Answer {@link RunEvent.RetryDue} with this path and attempt after the delay. */
    record ScheduleRetry(StepPath path, int attempt, long delayMs) implements RunEffect {}

    /** No answer of the step is awaited: abort its work, drop its retry timer or its waitpoint. */
    record Abandon(StepPath path) implements RunEffect {}

    /** Makes the end and the log durable, and notifies the waiting caller. Always the last effect of a run. */
    record Finish(Ended end) implements RunEffect {}
}
