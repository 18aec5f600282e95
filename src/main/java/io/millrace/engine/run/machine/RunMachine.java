package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.RunEffect.Abandon;
import io.millrace.engine.run.machine.RunEffect.Finish;
import io.millrace.engine.run.machine.RunEffect.StartDeadline;
import io.millrace.engine.run.machine.RunEffect.StopDeadline;
import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.Broke;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.DeadlinePassed;
import io.millrace.engine.run.machine.RunEvent.Stored;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Moved;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides what follows what in a run; the table of all moves is {@code src/site/markdown/run-machine.md}.
 *
 * <p>A pure function: the same plan, state and event give the same transition, and no event throws. What does not apply is
 * answered with a reason. A run that resumes after a pause or is found after a crash walks again from its first step; the
 * actor answers what its journal holds at once, so the machine needs no memory of earlier walks (contract flows-and-engine
 * 6.4). Answers to effects are decided in {@link RunningMoves}, and what surrounds the walk in {@link RunLifecycle}.
 */
public final class RunMachine {
    private RunMachine() {}

    /** What the event does to a run of this plan in its actor: its walk, and what surrounds the walk. */
    public static LifecycleTransition on(RunPlan plan, RunLife life, LifecycleEvent event) {
        return RunLifecycle.on(plan, life, event);
    }

    /** What the event does to the walk of a run of this plan. */
    public static Transition on(RunPlan plan, RunState state, RunEvent event) {
        return switch (state) {
            case Queued queued -> onQueued(plan, queued, event);
            case Running running -> onRunning(plan, running, event);
            case Paused paused -> onPaused(plan, paused, event);
            case Ended ended -> Expectation.unmet(plan, ended, event);
        };
    }

    private static Transition onQueued(RunPlan plan, Queued queued, RunEvent event) {
        return switch (event) {
            case Begun begun -> begin(plan, queued, begun);
            case TriggerFailed failed ->
                endedBeforeStart(EndStatus.FAILED, Optional.of(StepPath.TRIGGER), Optional.of(failed.message()));
            case CancelRequested _ -> endedBeforeStart(EndStatus.CANCELED, Optional.empty(), Optional.empty());
            case Broke broke ->
                endedBeforeStart(EndStatus.INTERNAL_ERROR, Optional.empty(), Optional.of(broke.message()));
            case Stored _ when !queued.stored() -> new Moved(new Queued(queued.budget(), true), List.of());
            case Stored _, DeadlinePassed _, Answer _ -> Expectation.unmet(plan, queued, event);
        };
    }

    private static Transition onRunning(RunPlan plan, Running running, RunEvent event) {
        return switch (event) {
            case Answer answer -> RunningMoves.on(plan, running, answer);
            case DeadlinePassed _ ->
                interrupted(running, EndStatus.TIMEOUT, Optional.of(running.at()), Optional.empty());
            case CancelRequested _ -> interrupted(running, EndStatus.CANCELED, Optional.empty(), Optional.empty());
            case Broke broke ->
                interrupted(running, EndStatus.INTERNAL_ERROR, Optional.of(running.at()), Optional.of(broke.message()));
            case Stored _ when !running.progress().stored() -> new Moved(running.asStored(), List.of());
            case Stored _, Begun _, TriggerFailed _ -> Expectation.unmet(plan, running, event);
        };
    }

    private static Transition onPaused(RunPlan plan, Paused paused, RunEvent event) {
        return switch (event) {
            case CancelRequested _ -> endedInPause(paused, EndStatus.CANCELED, Optional.empty());
            case Broke broke -> endedInPause(paused, EndStatus.INTERNAL_ERROR, Optional.of(broke.message()));
            case Begun _, TriggerFailed _, Stored _, DeadlinePassed _, Answer _ ->
                Expectation.unmet(plan, paused, event);
        };
    }

    /** From the trigger's next action on; a plan without steps has succeeded already. */
    private static Transition begin(RunPlan plan, Queued queued, Begun begun) {
        var budget = queued.budget().begun(begun.triggerLogBytes());
        if (budget.isExceeded()) {
            return endedBeforeStart(
                    EndStatus.LOG_SIZE_EXCEEDED, Optional.of(StepPath.TRIGGER), Optional.of(budget.exceededText()));
        }
        var start = Cursor.start(plan);
        return start.isEnd()
                ? endedBeforeStart(EndStatus.SUCCEEDED, Optional.empty(), Optional.empty())
                : RunningMoves.arrive(plan, start, Progress.atStart(budget, queued.stored()), startOfWalk());
    }

    private static List<RunEffect> startOfWalk() {
        var effects = new ArrayList<RunEffect>();
        effects.add(new StartDeadline());
        return effects;
    }

    private static Moved endedBeforeStart(EndStatus status, Optional<StepPath> failedStep, Optional<String> message) {
        var end = new Ended(status, failedStep, message, 0);
        return new Moved(end, List.of(new Finish(end)));
    }

    /** Ends a run from outside while it waits for an answer, which nobody will want any more. */
    private static Moved interrupted(
            Running running, EndStatus status, Optional<StepPath> failedStep, Optional<String> message) {
        var end = new Ended(status, failedStep, message, running.progress().stepsCount());
        return new Moved(end, List.of(new StopDeadline(), new Abandon(running.at()), new Finish(end)));
    }

    private static Moved endedInPause(Paused paused, EndStatus status, Optional<String> message) {
        var end = new Ended(status, Optional.empty(), message, paused.stepsCount());
        return new Moved(end, List.of(new Abandon(paused.at()), new Finish(end)));
    }
}
