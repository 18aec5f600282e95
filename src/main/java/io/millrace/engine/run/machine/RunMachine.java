package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.Frame.LoopFrame;
import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import io.millrace.engine.run.machine.RunEffect.Abandon;
import io.millrace.engine.run.machine.RunEffect.Commit;
import io.millrace.engine.run.machine.RunEffect.DiscardAttempt;
import io.millrace.engine.run.machine.RunEffect.EnterIteration;
import io.millrace.engine.run.machine.RunEffect.EvaluateBranches;
import io.millrace.engine.run.machine.RunEffect.Execute;
import io.millrace.engine.run.machine.RunEffect.Finish;
import io.millrace.engine.run.machine.RunEffect.MarkBegun;
import io.millrace.engine.run.machine.RunEffect.PassIterations;
import io.millrace.engine.run.machine.RunEffect.ResolveItems;
import io.millrace.engine.run.machine.RunEffect.ScheduleRetry;
import io.millrace.engine.run.machine.RunEffect.StartDeadline;
import io.millrace.engine.run.machine.RunEffect.StopDeadline;
import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.BranchesEvaluated;
import io.millrace.engine.run.machine.RunEvent.Broke;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.DeadlinePassed;
import io.millrace.engine.run.machine.RunEvent.ItemsResolved;
import io.millrace.engine.run.machine.RunEvent.MemoryExceeded;
import io.millrace.engine.run.machine.RunEvent.RetryDue;
import io.millrace.engine.run.machine.RunEvent.StepFailed;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepStopped;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import io.millrace.engine.run.machine.RunEvent.Stored;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Phase.EvaluatingBranches;
import io.millrace.engine.run.machine.RunState.Phase.Executing;
import io.millrace.engine.run.machine.RunState.Phase.ResolvingItems;
import io.millrace.engine.run.machine.RunState.Phase.WaitingToRetry;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Moved;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides the transitions of a run; the table of all moves is {@code src/site/markdown/run-machine.md}.
 *
 * <p>A pure function: the same plan, state and event give the same transition, and no event throws. An event that does
 * not apply is answered with a reason. A run that resumes after a pause or is found after a crash walks again from its
 * first step; the actor answers recorded results from its journal at once, so the machine needs no memory of earlier
 * walks (contract flows-and-engine 6.4). The surroundings of the walk are decided in {@link RunLifecycle}, and its next
 * position in {@link Cursor}.
 */
public final class RunMachine {
    /** Attempts in total, with backoffs before the second, third and fourth (contract flows-and-engine 11.1). */
    private static final int ATTEMPTS_MAX = 4;

    private static final long RETRY_BASE_MS = 2000;

    /** Capacity for the longest list of effects of a move, so that it never grows. */
    private static final int EFFECTS_MAX = 4;

    private RunMachine() {}

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
                endedBeforeStart(
                        statusOf(failed.cause()), Optional.of(StepPath.TRIGGER), Optional.of(failed.message()));
            case CancelRequested _ -> endedBeforeStart(EndStatus.CANCELED, Optional.empty(), Optional.empty());
            case Broke broke ->
                endedBeforeStart(EndStatus.INTERNAL_ERROR, Optional.empty(), Optional.of(broke.message()));
            case Stored _ when !queued.stored() -> new Moved(new Queued(queued.budget(), true), List.of());
            case Stored _, DeadlinePassed _, Answer _ -> Expectation.unmet(plan, queued, event);
        };
    }

    private static EndStatus statusOf(TriggerFailed.Cause cause) {
        return switch (cause) {
            case ERROR -> EndStatus.FAILED;
            case TIME -> EndStatus.TIMEOUT;
            case MEMORY -> EndStatus.MEMORY_LIMIT_EXCEEDED;
            case PROCESS -> EndStatus.INTERNAL_ERROR;
        };
    }

    private static Transition onRunning(RunPlan plan, Running running, RunEvent event) {
        return switch (event) {
            case Answer answer -> onAnswer(plan, running, answer);
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

    /** A plan without steps has succeeded already. */
    private static Transition begin(RunPlan plan, Queued queued, Begun begun) {
        var budget = queued.budget().begun(begun.triggerLogBytes());
        if (budget.isExceeded()) {
            return endedBeforeStart(
                    EndStatus.LOG_SIZE_EXCEEDED, Optional.of(StepPath.TRIGGER), Optional.of(budget.exceededText()));
        }
        var start = Cursor.start(plan);
        return start.isEnd()
                ? endedBeforeStart(EndStatus.SUCCEEDED, Optional.empty(), Optional.empty())
                : arrive(plan, start, Progress.atStart(budget, queued.stored()), startOfWalk());
    }

    private static List<RunEffect> startOfWalk() {
        var effects = new ArrayList<RunEffect>();
        effects.add(new StartDeadline());
        return effects;
    }

    private static Transition onAnswer(RunPlan plan, Running running, Answer answer) {
        var phase = running.phase();
        if (answer.attempt() != phase.attempt() || !answer.path().equals(running.at())) {
            return Expectation.unmet(plan, running, answer);
        }
        return switch (phase) {
            case Executing executing -> onExecuting(plan, running, executing, answer);
            case WaitingToRetry waiting -> onWaitingToRetry(plan, running, waiting, answer);
            case ResolvingItems resolving -> onResolvingItems(plan, running, resolving.step(), answer);
            case EvaluatingBranches evaluating -> onEvaluatingBranches(plan, running, evaluating.step(), answer);
        };
    }

    private static Transition onExecuting(RunPlan plan, Running running, Executing executing, Answer answer) {
        return switch (answer) {
            case StepSucceeded succeeded -> succeeded(plan, running, executing.step(), succeeded);
            case StepFailed failed -> failed(plan, running, executing, failed);
            case StepStopped stopped -> stopped(running, stopped);
            case StepPaused paused -> paused(running, paused);
            case MemoryExceeded _ -> outOfMemory(running);
            case RetryDue _, ItemsResolved _, BranchesEvaluated _ -> Expectation.unmet(plan, running, answer);
        };
    }

    private static Transition onWaitingToRetry(RunPlan plan, Running running, WaitingToRetry waiting, Answer answer) {
        return switch (answer) {
            case RetryDue due ->
                new Moved(
                        running.in(new Executing(waiting.step(), due.attempt())),
                        List.of(new Execute(due.path(), due.attempt())));
            case StepSucceeded _,
                    StepFailed _,
                    StepStopped _,
                    StepPaused _,
                    MemoryExceeded _,
                    ItemsResolved _,
                    BranchesEvaluated _ -> Expectation.unmet(plan, running, answer);
        };
    }

    private static Transition onResolvingItems(RunPlan plan, Running running, ExecutableLoop loop, Answer answer) {
        return switch (answer) {
            case ItemsResolved resolved -> itemsResolved(plan, running, loop, resolved);
            case StepFailed failed -> endedByFailure(running, running.progress().charged(failed.logBytes()), failed);
            case MemoryExceeded _ -> outOfMemory(running);
            case StepSucceeded _, StepStopped _, StepPaused _, RetryDue _, BranchesEvaluated _ ->
                Expectation.unmet(plan, running, answer);
        };
    }

    private static Transition onEvaluatingBranches(
            RunPlan plan, Running running, ExecutableRouter router, Answer answer) {
        return switch (answer) {
            case BranchesEvaluated evaluated -> branchesEvaluated(plan, running, router, evaluated);
            case StepFailed failed -> endedByFailure(running, running.progress().charged(failed.logBytes()), failed);
            case MemoryExceeded _ -> outOfMemory(running);
            case StepSucceeded _, StepStopped _, StepPaused _, RetryDue _, ItemsResolved _ ->
                Expectation.unmet(plan, running, answer);
        };
    }

    private static Moved succeeded(RunPlan plan, Running running, ExecutableAction step, StepSucceeded succeeded) {
        var charged = running.progress().charged(succeeded.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        return leave(plan, running, step, charged.counted(), true, succeeded.recorded());
    }

    /** Checks the limit of the log first: neither a retry nor continue-on-failure helps against it. */
    private static Moved failed(RunPlan plan, Running running, Executing executing, StepFailed failed) {
        var step = executing.step();
        var charged = running.progress().charged(failed.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        if (step.policy().retryOnFailure() && !failed.recorded() && executing.attempt() < ATTEMPTS_MAX) {
            return retried(running, executing);
        }
        return step.policy().continueOnFailure()
                ? leave(plan, running, step, charged, false, failed.recorded())
                : endedByFailure(running, charged, failed);
    }

    /** The discarded attempt leaves no record, so its bytes are not charged. */
    private static Moved retried(Running running, Executing executing) {
        var attempt = executing.attempt() + 1;
        var delayMs = RETRY_BASE_MS << executing.attempt();
        return new Moved(
                running.in(new WaitingToRetry(executing.step(), attempt)),
                List.of(new DiscardAttempt(running.at()), new ScheduleRetry(running.at(), attempt, delayMs)));
    }

    private static Moved stopped(Running running, StepStopped stopped) {
        var charged = running.progress().charged(stopped.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        return ended(EndStatus.SUCCEEDED, Optional.empty(), Optional.empty(), charged.counted());
    }

    /** The pause of a pure step is committed as well: state that lasts for days must not be in memory only. */
    private static Moved paused(Running running, StepPaused paused) {
        var charged = running.progress().charged(paused.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        var counted = charged.counted();
        return new Moved(new Paused(running.at(), counted.stepsCount()), List.of(new StopDeadline(), new Commit()));
    }

    private static Moved itemsResolved(RunPlan plan, Running running, ExecutableLoop loop, ItemsResolved resolved) {
        var charged = running.progress().charged(resolved.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        var effects = new ArrayList<RunEffect>(EFFECTS_MAX);
        if (resolved.count() > 0 && plan.firstActive(loop.body()) == RunPlan.NONE) {
            effects.add(new PassIterations(running.at(), resolved.count()));
        }
        return goTo(plan, running.cursor().into(plan, loop, resolved.count()), charged, effects);
    }

    /** An evaluation of the wrong length is a defect of the caller; the run ends instead of waiting indefinitely. */
    private static Moved branchesEvaluated(
            RunPlan plan, Running running, ExecutableRouter router, BranchesEvaluated evaluated) {
        var charged = running.progress().charged(evaluated.logBytes());
        if (charged.budget().isExceeded()) {
            return outgrown(running, charged);
        }
        var expected = router.branches().size();
        var found = evaluated.evaluation().size();
        if (expected != found) {
            var message = "expected " + expected + " evaluations of " + router.name() + ", but found " + found;
            return ended(EndStatus.INTERNAL_ERROR, Optional.of(running.at()), Optional.of(message), charged);
        }
        var next = running.cursor().into(plan, router, evaluated.evaluation());
        return goTo(plan, next, charged, new ArrayList<>(EFFECTS_MAX));
    }

    /** A result with external effects must be durable before any further effect. */
    private static Moved leave(
            RunPlan plan,
            Running running,
            ExecutableAction step,
            Progress progress,
            boolean succeeded,
            boolean recorded) {
        var next = running.cursor().after(plan, step, succeeded);
        if (!step.reachesOutside() || recorded || next.isEnd()) {
            var isLoose = step.reach() == StepReach.ISOLATED && !recorded;
            return goTo(plan, next, isLoose ? progress.asLoose() : progress, new ArrayList<>(EFFECTS_MAX));
        }
        var effects = new ArrayList<RunEffect>(EFFECTS_MAX);
        effects.add(new Commit());
        return goTo(plan, next, progress.asStored(), effects);
    }

    private static Moved goTo(RunPlan plan, Cursor next, Progress progress, List<RunEffect> effects) {
        if (!next.isEnd()) {
            return arrive(plan, next, progress, effects);
        }
        var end = Ended.succeeded(progress.stepsCount());
        effects.add(new StopDeadline());
        effects.add(new Finish(end));
        return new Moved(end, effects);
    }

    private static Moved arrive(RunPlan plan, Cursor next, Progress progress, List<RunEffect> effects) {
        if (next.frame() instanceof LoopFrame inner && next.beginsIteration(plan)) {
            effects.add(new EnterIteration(inner.at(), inner.iteration()));
        }
        return switch (plan.step(next.at().step())) {
            case ExecutableAction act -> arriveAt(act, next, progress, effects);
            case ExecutableLoop loop -> {
                effects.add(new ResolveItems(next.at()));
                yield new Moved(new Running(next, new ResolvingItems(loop), progress), effects);
            }
            case ExecutableRouter router -> {
                effects.add(new EvaluateBranches(next.at()));
                yield new Moved(new Running(next, new EvaluatingBranches(router), progress), effects);
            }
        };
    }

    /**
     * A step with external effects must not run before the run itself is durable, and the results of isolated steps: a
     * crash would lose them, and they might differ. A step that must not run twice is marked before; the results so far
     * are committed together with the mark.
     */
    private static Moved arriveAt(ExecutableAction act, Cursor next, Progress progress, List<RunEffect> effects) {
        var commit = effects.indexOf(new Commit());
        if (act.policy().failsOnCrash()) {
            effects.add(commit < 0 ? effects.size() : commit, new MarkBegun(next.at()));
        }
        var isUnsafe = act.reachesOutside() && (!progress.stored() || progress.loose());
        var mustBeStored = commit < 0 && (act.policy().failsOnCrash() || isUnsafe);
        if (mustBeStored) {
            effects.add(new Commit());
        }
        effects.add(new Execute(next.at(), 1));
        var phase = new Executing(act, 1);
        return new Moved(new Running(next, phase, mustBeStored ? progress.asStored() : progress), effects);
    }

    private static Moved endedByFailure(Running running, Progress charged, StepFailed failed) {
        return charged.budget().isExceeded()
                ? outgrown(running, charged)
                : ended(EndStatus.FAILED, Optional.of(running.at()), Optional.of(failed.message()), charged);
    }

    private static Moved outgrown(Running running, Progress charged) {
        var message = charged.budget().exceededText();
        return ended(EndStatus.LOG_SIZE_EXCEEDED, Optional.of(running.at()), Optional.of(message), charged);
    }

    private static Moved outOfMemory(Running running) {
        var failedStep = Optional.of(running.at());
        return ended(EndStatus.MEMORY_LIMIT_EXCEEDED, failedStep, Optional.empty(), running.progress());
    }

    private static Moved ended(
            EndStatus status, Optional<StepPath> failedStep, Optional<String> message, Progress progress) {
        var end = new Ended(status, failedStep, message, progress.stepsCount());
        return new Moved(end, List.of(new StopDeadline(), new Finish(end)));
    }

    private static Moved endedBeforeStart(EndStatus status, Optional<StepPath> failedStep, Optional<String> message) {
        var end = new Ended(status, failedStep, message, 0);
        return new Moved(end, List.of(new Finish(end)));
    }

    /** The awaited answer is discarded. */
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
