package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static io.millrace.engine.run.machine.PlanTree.firstMatch;
import static io.millrace.engine.run.machine.PlanTree.loop;
import static io.millrace.engine.run.machine.PlanTree.plan;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Moved;
import java.util.ArrayList;
import java.util.List;

/** Every row of the table in {@code run-machine.md}, as a state and an event of the machine. */
final class RunMachineRows {
    /** Budget of every row, and a size that exceeds it. */
    private static final long LIMIT = 100;

    private static final long LARGE = 101;

    private static final RunPlan ONE = plan(act("a"));
    private static final RunPlan TWO = plan(act("a"), act("b"));
    private static final RunPlan ONCE = plan(act("a").once(), act("b").once());
    private static final RunPlan PURE = plan(act("a").asPure(), act("b").asPure());
    private static final RunPlan RETRYING = plan(act("a").retrying(), act("b"));
    private static final RunPlan PURE_RETRYING = plan(act("a").asPure().retrying());
    private static final RunPlan CARRYING_ON = plan(act("a").carryingOn(), act("b"));
    private static final RunPlan LOOP = plan(loop("l", act("a")), act("b"));
    private static final RunPlan EMPTY_LOOP = plan(loop("l"), act("b"));
    private static final RunPlan LOOP_ALONE = plan(loop("l", act("a")));
    private static final RunPlan ROUTER = plan(firstMatch("r", List.of(List.of(act("a")), List.of())), act("b"));
    private static final RunPlan ROUTER_ALONE = plan(firstMatch("r", List.of(List.of(act("a")), List.of())));

    /** One row of the document: the effect on a state, under a described condition. */
    record Row(String when, RunPlan plan, RunState state, RunEvent event) {
        String stateName() {
            return nameOf(state);
        }

        String eventName() {
            return event.getClass().getSimpleName();
        }

        Moved moved() {
            var transition = RunMachine.on(plan, state, event);
            assertThat(transition)
                    .as("%s, %s, %s", stateName(), eventName(), when)
                    .isInstanceOf(Moved.class);
            return (Moved) transition;
        }

        String text() {
            var moved = moved();
            var next = moved.state() instanceof Ended ended ? "Ended " + ended.status() : nameOf(moved.state());
            var effects = moved.effects().stream()
                    .map(effect -> effect.getClass().getSimpleName())
                    .collect(joining(", "));
            return "| " + stateName() + " | " + eventName() + " | " + when + " | " + next + " | " + effects + " |";
        }
    }

    /** A state of one column, with a plan in which it occurs. */
    record Sample(RunPlan plan, RunState state) {}

    /** One state of each column. */
    static List<Sample> sampleStates() {
        return List.of(
                new Sample(TWO, queued(false)),
                new Sample(PURE, unstored(PURE)),
                new Sample(PURE_RETRYING, waitingToRetry()),
                new Sample(LOOP, unstored(LOOP)),
                new Sample(ROUTER, unstored(ROUTER)),
                new Sample(TWO, paused()),
                new Sample(TWO, ended()));
    }

    static List<Row> rows() {
        var rows = new ArrayList<Row>();
        rows.addAll(rowsOfQueued());
        rows.addAll(rowsOfExecuting());
        rows.addAll(rowsOfWaitingToRetry());
        rows.addAll(rowsOfResolvingItems());
        rows.addAll(rowsOfEvaluatingBranches());
        rows.addAll(rowsOfPaused());
        return rows;
    }

    private static List<Row> rowsOfQueued() {
        return List.of(
                new Row("the run is durable", TWO, queued(true), new Begun(0)),
                new Row("not yet durable, the first step is pure", PURE, queued(false), new Begun(0)),
                new Row("not yet durable, the first step is not pure", TWO, queued(false), new Begun(0)),
                new Row("the first step fails on a crash", ONCE, queued(true), new Begun(0)),
                new Row("the first step is a loop", LOOP, queued(true), new Begun(0)),
                new Row("the first step is a router", ROUTER, queued(true), new Begun(0)),
                new Row("there is no step", plan(), queued(true), new Begun(0)),
                new Row("the trigger's output passes the budget", TWO, queued(true), new Begun(LARGE)),
                new Row("", TWO, queued(true), new TriggerFailed(TriggerFailed.Cause.ERROR, "boom", false)),
                new Row("not known before", TWO, queued(false), new Stored()),
                new Row("", TWO, queued(true), new CancelRequested()),
                new Row("", TWO, queued(true), new Broke("boom")));
    }

    private static List<Row> rowsOfExecuting() {
        var path = pathOf(running(ONE));
        var two = running(TWO);
        var at = pathOf(two);
        var inLoop = next(LOOP, running(LOOP), new ItemsResolved(pathOf(running(LOOP)), 2, 0));
        var inPureLoop = plan(loop("l", act("a").asPure()));
        var inPureIteration =
                next(inPureLoop, running(inPureLoop), new ItemsResolved(pathOf(running(inPureLoop)), 2, 0));
        var rows = new ArrayList<>(List.of(
                new Row("not pure; a step follows", TWO, two, new StepSucceeded(at, 1, 0, false)),
                new Row("not pure; a step follows that fails on a crash", ONCE, running(ONCE), succeeded(ONCE, false)),
                new Row("recorded; a step follows that fails on a crash", ONCE, running(ONCE), succeeded(ONCE, true)),
                new Row("pure, or recorded; a step follows", TWO, two, new StepSucceeded(at, 1, 0, true)),
                new Row(
                        "not pure; another iteration follows",
                        LOOP,
                        inLoop,
                        new StepSucceeded(pathOf(inLoop), 1, 0, false)),
                new Row(
                        "pure; another iteration follows",
                        inPureLoop,
                        inPureIteration,
                        new StepSucceeded(pathOf(inPureIteration), 1, 0, false)),
                new Row("nothing follows", ONE, running(ONE), new StepSucceeded(path, 1, 0, false)),
                new Row("the output passes the budget", TWO, two, new StepSucceeded(at, 1, LARGE, false)),
                new Row("retryOnFailure, attempts left", RETRYING, running(RETRYING), failed(RETRYING, 0, false)),
                new Row(
                        "continueOnFailure, no attempts left",
                        CARRYING_ON,
                        running(CARRYING_ON),
                        failed(CARRYING_ON, 0, false)),
                new Row("continueOnFailure, recorded", CARRYING_ON, running(CARRYING_ON), failed(CARRYING_ON, 0, true)),
                new Row("otherwise", TWO, two, failed(TWO, 0, false)),
                new Row(
                        "the record passes the budget",
                        CARRYING_ON,
                        running(CARRYING_ON),
                        failed(CARRYING_ON, LARGE, false)),
                new Row("", TWO, two, new StepStopped(at, 1, 0)),
                new Row("the output passes the budget", TWO, two, new StepStopped(at, 1, LARGE)),
                new Row("", TWO, two, new StepPaused(at, 1, 0)),
                new Row("the record passes the budget", TWO, two, new StepPaused(at, 1, LARGE)),
                new Row("", TWO, two, new MemoryExceeded(at, 1))));
        rows.addAll(interruptions(PURE, unstored(PURE)));
        return rows;
    }

    private static List<Row> rowsOfWaitingToRetry() {
        var waiting = waitingToRetry();
        var rows = new ArrayList<Row>();
        rows.add(new Row("", PURE_RETRYING, waiting, new RetryDue(pathOf(waiting), 2)));
        rows.addAll(interruptions(PURE_RETRYING, waiting));
        return rows;
    }

    private static List<Row> rowsOfResolvingItems() {
        var state = running(LOOP);
        var at = pathOf(state);
        var empty = running(EMPTY_LOOP);
        var alone = running(LOOP_ALONE);
        var rows = new ArrayList<>(List.of(
                new Row("items, and a body", LOOP, state, new ItemsResolved(at, 2, 0)),
                new Row(
                        "items, but nothing to walk in the body",
                        EMPTY_LOOP,
                        empty,
                        new ItemsResolved(pathOf(empty), 2, 0)),
                new Row("no items; a step follows", LOOP, state, new ItemsResolved(at, 0, 0)),
                new Row("no items; nothing follows", LOOP_ALONE, alone, new ItemsResolved(pathOf(alone), 0, 0)),
                new Row("the items pass the budget", LOOP, state, new ItemsResolved(at, 2, LARGE)),
                new Row("", LOOP, state, failed(LOOP, 0, false)),
                new Row("the record passes the budget", LOOP, state, failed(LOOP, LARGE, false)),
                new Row("", LOOP, state, new MemoryExceeded(at, 1))));
        rows.addAll(interruptions(LOOP, unstored(LOOP)));
        return rows;
    }

    private static List<Row> rowsOfEvaluatingBranches() {
        var state = running(ROUTER);
        var at = pathOf(state);
        var alone = running(ROUTER_ALONE);
        var rows = new ArrayList<>(List.of(
                new Row("a true branch with steps", ROUTER, state, branches(at, true, false, 0)),
                new Row(
                        "nothing to walk in the true branches; a step follows",
                        ROUTER,
                        state,
                        branches(at, false, true, 0)),
                new Row(
                        "nothing to walk; nothing follows",
                        ROUTER_ALONE,
                        alone,
                        branches(pathOf(alone), false, false, 0)),
                new Row("not one value per branch", ROUTER, state, new BranchesEvaluated(at, List.of(true), 0)),
                new Row("the record passes the budget", ROUTER, state, branches(at, true, true, LARGE)),
                new Row("", ROUTER, state, failed(ROUTER, 0, false)),
                new Row("the record passes the budget", ROUTER, state, failed(ROUTER, LARGE, false)),
                new Row("", ROUTER, state, new MemoryExceeded(at, 1))));
        rows.addAll(interruptions(ROUTER, unstored(ROUTER)));
        return rows;
    }

    private static List<Row> rowsOfPaused() {
        var paused = paused();
        return List.of(new Row("", TWO, paused, new CancelRequested()), new Row("", TWO, paused, new Broke("boom")));
    }

    /** Rows of events that can occur at any time during a run. */
    private static List<Row> interruptions(RunPlan plan, RunState state) {
        return List.of(
                new Row("not known before", plan, state, new Stored()),
                new Row("", plan, state, new CancelRequested()),
                new Row("", plan, state, new DeadlinePassed()),
                new Row("", plan, state, new Broke("boom")));
    }

    /** One event of each kind, for this attempt at the path, suitable for the phase that awaits it. */
    static List<RunEvent> eventsFor(StepPath path, int attempt) {
        return List.of(
                new Begun(0),
                new TriggerFailed(TriggerFailed.Cause.ERROR, "boom", false),
                new StepSucceeded(path, attempt, 0, false),
                new StepFailed(path, attempt, 0, "boom", false),
                new StepStopped(path, attempt, 0),
                new StepPaused(path, attempt, 0),
                new MemoryExceeded(path, attempt),
                new RetryDue(path, attempt),
                new ItemsResolved(path, 2, 0),
                new BranchesEvaluated(path, List.of(true, false), 0),
                new Stored(),
                new CancelRequested(),
                new DeadlinePassed(),
                new Broke("boom"));
    }

    private static StepSucceeded succeeded(RunPlan plan, boolean recorded) {
        return new StepSucceeded(pathOf(running(plan)), 1, 0, recorded);
    }

    private static StepFailed failed(RunPlan plan, long logBytes, boolean recorded) {
        return new StepFailed(pathOf(running(plan)), 1, logBytes, "boom", recorded);
    }

    private static BranchesEvaluated branches(StepPath path, boolean first, boolean second, long logBytes) {
        return new BranchesEvaluated(path, List.of(first, second), logBytes);
    }

    private static RunState queued(boolean stored) {
        return new Queued(LogBudget.of(LIMIT), stored);
    }

    private static RunState running(RunPlan plan) {
        return next(plan, queued(true), new Begun(0));
    }

    private static RunState unstored(RunPlan plan) {
        return next(plan, queued(false), new Begun(0));
    }

    private static RunState waitingToRetry() {
        return next(PURE_RETRYING, unstored(PURE_RETRYING), failed(PURE_RETRYING, 0, false));
    }

    private static RunState paused() {
        return next(TWO, running(TWO), new StepPaused(pathOf(running(TWO)), 1, 0));
    }

    private static RunState ended() {
        return next(TWO, queued(true), new CancelRequested());
    }

    private static RunState next(RunPlan plan, RunState state, RunEvent event) {
        return ((Moved) RunMachine.on(plan, state, event)).state();
    }

    static StepPath pathOf(RunState state) {
        return switch (state) {
            case Running running -> running.at();
            case Paused paused -> paused.at();
            case Queued _, Ended _ -> StepPath.TRIGGER;
        };
    }

    static int attemptOf(RunState state) {
        return state instanceof Running running ? running.phase().attempt() : 1;
    }

    static String nameOf(RunState state) {
        return state instanceof Running running
                ? running.phase().getClass().getSimpleName()
                : state.getClass().getSimpleName();
    }

    private RunMachineRows() {}
}
