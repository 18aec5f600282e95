package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static io.millrace.engine.run.machine.PlanTree.allMatch;
import static io.millrace.engine.run.machine.PlanTree.loop;
import static io.millrace.engine.run.machine.PlanTree.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.LifecycleEvent.InboxEmpty;
import io.millrace.engine.run.machine.LifecycleEvent.PermitGranted;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.LifecycleEvent.Saved;
import io.millrace.engine.run.machine.LifecycleEvent.WaitedUnseen;
import io.millrace.engine.run.machine.PlanTree.Node;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.BranchesEvaluated;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Ignored;
import io.millrace.engine.run.machine.Transition.Moved;
import io.millrace.engine.run.machine.World.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Durability, accounting, the walk and its limits, in addition to the situations of the contract. */
class RunMachineTest {
    @Test
    void commitsOnlyAtTheEnd_whenEveryStepIsPure() {
        var flow = plan(act("a").asPure(), act("b").asPure());
        var run = new RunScript(flow, 1000, false, Ask::succeeds);

        run.begin();

        assertThat(run.trace())
                .containsExactly("StartDeadline", "Execute a #1", "Execute b #1", "StopDeadline", "Finish SUCCEEDED");
    }

    @Test
    void commitsTheRunOnce_beforeTheFirstStepThatTouchesTheOutside() {
        var flow = plan(act("a").asPure(), act("b"), act("c"), act("d").asPure());
        var run = new RunScript(flow, 1000, false, Ask::succeeds);

        run.begin();

        assertThat(run.trace())
                .containsExactly(
                        "StartDeadline",
                        "Execute a #1",
                        "Commit",
                        "Execute b #1",
                        "Commit",
                        "Execute c #1",
                        "Commit",
                        "Execute d #1",
                        "StopDeadline",
                        "Finish SUCCEEDED");
    }

    @Test
    void commitsOnlyAtTheEnd_whenEveryStepIsPureOrIsolated() {
        var flow = plan(act("a").asIsolated(), act("b").asPure(), act("c").asIsolated());
        var run = new RunScript(flow, 1000, false, Ask::succeeds);

        run.begin();

        assertThat(run.trace())
                .containsExactly(
                        "StartDeadline",
                        "Execute a #1",
                        "Execute b #1",
                        "Execute c #1",
                        "StopDeadline",
                        "Finish SUCCEEDED");
    }

    /** After a crash its result would differ, and both results would be visible outside. */
    @Test
    void commitsWhatAnIsolatedStepGave_beforeTheOutsideSeesIt() {
        var flow = plan(act("a"), act("b").asIsolated(), act("c").asPure(), act("d"));
        var run = new RunScript(flow, 1000, true, Ask::succeeds);

        run.begin();

        assertThat(run.trace())
                .containsExactly(
                        "StartDeadline",
                        "Execute a #1",
                        "Commit",
                        "Execute b #1",
                        "Execute c #1",
                        "Commit",
                        "Execute d #1",
                        "StopDeadline",
                        "Finish SUCCEEDED");
    }

    @Test
    void showsARunThatWaitsForAnIsolatedStep_onlyAfterAWhile() {
        var flow = plan(act("a").asIsolated(), act("b"));
        var walking = after(flow, RunLives.made(null, false), new Prepared(), new PermitGranted(), new Begun(0));

        var settled = (LifecycleTransition.Moved) RunLifecycle.on(flow, walking, new InboxEmpty());
        var seen = (LifecycleTransition.Moved) RunLifecycle.on(flow, settled.life(), new WaitedUnseen());

        assertThat(settled.effects())
                .isEqualTo(List.of(new LifecycleEffect.WatchDeadline(), new LifecycleEffect.WatchUnseen()));
        assertThat(seen.effects().getLast()).isEqualTo(new LifecycleEffect.Insert(LiveStatus.RUNNING));
        var saved = after(flow, seen.life(), new Saved());
        assertThat(RunLifecycle.on(flow, saved, new WaitedUnseen())).isInstanceOf(LifecycleTransition.Ignored.class);
    }

    private static RunLife after(RunPlan flow, RunLife life, LifecycleEvent... events) {
        var now = life;
        for (var event : events) {
            now = ((LifecycleTransition.Moved) RunLifecycle.on(flow, now, event)).life();
        }
        return now;
    }

    @Test
    void doesNotCommitBeforeTheStep_whenTheRunHasBecomeDurableMeanwhile() {
        var flow = plan(act("a").asPure(), act("b"));
        var begun = moved(RunMachine.on(flow, new Queued(LogBudget.of(1000), false), new Begun(0)));
        var stored = moved(RunMachine.on(flow, begun.state(), new RunEvent.Stored()));

        var next = moved(
                RunMachine.on(flow, stored.state(), new StepSucceeded(((Running) stored.state()).at(), 1, 0, false)));

        assertThat(next.effects()).containsExactly(new RunEffect.Execute(StepPath.of(0), 1));
    }

    @Test
    void marksAStepThatFailsOnACrash_inTheCommitBeforeIt() {
        var flow = plan(act("a"), act("b").once(), loop("l", act("c").once()), act("d").asPure());
        var run = new RunScript(flow, 1000, true, ask -> ask.text().equals("l") ? ask.hasItems(1) : ask.succeeds());

        run.begin();

        assertThat(run.trace())
                .containsExactly(
                        "StartDeadline",
                        "Execute a #1",
                        "MarkBegun b",
                        "Commit",
                        "Execute b #1",
                        "Commit",
                        "ResolveItems l",
                        "EnterIteration l[0]",
                        "MarkBegun l[0].c",
                        "Commit",
                        "Execute l[0].c #1",
                        "Commit",
                        "Execute d #1",
                        "StopDeadline",
                        "Finish SUCCEEDED");
    }

    /** Whenever the process dies, no such step is executed twice, and no run succeeds without it. */
    @Test
    void executesAStepOnceAtMost_whenItFailsOnACrash() {
        var flow = plan(
                act("a").asPure(), act("b").once(), act("c"), act("d").once().carryingOn(), act("e"));
        var effects = new RunScript(flow, 1000, false, Ask::succeeds).begin().effectsPerformed();
        var failures = 0;
        for (var first = 1L; first <= effects; first++) {
            for (var second = first + 1; second <= effects + 4; second++) {
                var run = new RunScript(flow, 1000, false, Ask::succeeds).crashingAt(List.of(first, second));

                run.begin();

                assertThat(run.executions().getOrDefault("b", 0)).isLessThanOrEqualTo(1);
                assertThat(run.executions().getOrDefault("d", 0)).isLessThanOrEqualTo(1);
                if (run.end().status() == EndStatus.FAILED) {
                    assertThat(run.failedStep()).contains("b");
                    failures++;
                } else {
                    assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
                    assertThat(run.executions()).containsKeys("b", "c", "e");
                }
            }
        }
        assertThat(failures).isPositive();
    }

    @Test
    void doesNotChargeDiscardedAttempts() {
        var flow = plan(act("a").retrying());
        var run = new RunScript(flow, 100, true, ask -> ask.attempt() < 4 ? ask.fails(90) : ask.succeeds(90));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.end().stepsCount()).isEqualTo(1);
    }

    @Test
    void endsLogSizeExceeded_whenAFailedAttemptPassesTheBudget() {
        var flow = plan(act("a").retrying().carryingOn());
        var run = new RunScript(flow, 100, true, ask -> ask.fails(96));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.LOG_SIZE_EXCEEDED);
        assertThat(run.executions()).containsEntry("a", 1);
    }

    @Test
    void walksTheSequenceOfTheOutcome_whenAStepContinuesOnFailure() {
        var step = act("a").carryingOn().onSuccess(act("good")).onFailure(act("bad"), act("worse"));
        var flow = plan(step, act("z"));

        var failing = RunScript.of(flow, ask -> ask.text().equals("a") ? ask.fails() : ask.succeeds())
                .begin();
        var succeeding = RunScript.of(flow, Ask::succeeds).begin();

        assertThat(failing.executions()).containsOnlyKeys("a", "bad", "worse", "z");
        assertThat(succeeding.executions()).containsOnlyKeys("a", "good", "z");
        assertThat(failing.end().status()).isEqualTo(EndStatus.SUCCEEDED);
    }

    @Test
    void leavesTheSequencesAlone_whenContinueOnFailureIsOff() {
        var flow = plan(act("a").onSuccess(act("good")).onFailure(act("bad")), act("z"));

        var run = RunScript.of(flow, Ask::succeeds).begin();

        assertThat(run.executions()).containsOnlyKeys("a", "z");
    }

    @Test
    void namesEveryEnclosingIteration_whenLoopsAreNested() {
        var flow = plan(loop("outer", loop("inner", act("a")), act("b")));
        var run = RunScript.of(flow, ask -> switch (ask.text()) {
            case "outer" -> ask.hasItems(2);
            case "outer[0].inner" -> ask.hasItems(1);
            case "outer[1].inner" -> ask.hasItems(2);
            default -> ask.succeeds();
        });

        run.begin();

        assertThat(run.trace())
                .filteredOn(line -> line.startsWith("Execute") || line.startsWith("Enter"))
                .containsExactly(
                        "EnterIteration outer[0]",
                        "EnterIteration outer[0].inner[0]",
                        "Execute outer[0].inner[0].a #1",
                        "Execute outer[0].b #1",
                        "EnterIteration outer[1]",
                        "EnterIteration outer[1].inner[0]",
                        "Execute outer[1].inner[0].a #1",
                        "EnterIteration outer[1].inner[1]",
                        "Execute outer[1].inner[1].a #1",
                        "Execute outer[1].b #1");
    }

    @Test
    void entersTheNextIteration_whenARouterBranchInsideEnds() {
        var flow = plan(loop("l", allMatch("r", List.of(List.of(act("a")), List.of())), act("b").skipped()));
        var run = RunScript.of(flow, ask -> switch (ask.text()) {
            case "l" -> ask.hasItems(2);
            case "l[0].r" -> ask.evaluatesTo(true, true);
            case "l[1].r" -> ask.evaluatesTo(false, true);
            default -> ask.succeeds();
        });

        run.begin();

        assertThat(run.executions()).containsOnlyKeys("l[0].a");
        assertThat(run.trace()).contains("EnterIteration l[1]", "EvaluateBranches l[1].r");
    }

    @Test
    void recordsEmptyIterationsAtOnce_whenTheBodyHasNothingToWalk() {
        var flow = plan(loop("l", act("a").skipped()), act("z"));
        var run = RunScript.of(flow, ask -> ask.text().equals("l") ? ask.hasItems(1_000_000_000) : ask.succeeds());

        run.begin();

        assertThat(run.trace()).contains("PassIterations l x1000000000", "Execute z #1");
        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
    }

    @Test
    void succeedsAtOnce_whenThereIsNoStep() {
        var run = RunScript.of(plan(), Ask::succeeds).begin();

        assertThat(run.trace()).containsExactly("Finish SUCCEEDED");
    }

    @Test
    void endsInternalError_whenAnEvaluationHasTheWrongLength() {
        var flow = plan(allMatch("r", List.of(List.of(), List.of())));
        var run = RunScript.of(flow, ask -> new BranchesEvaluated(ask.path(), List.of(true), 0));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.INTERNAL_ERROR);
        assertThat(run.end().message()).contains("expected 2 evaluations of r, but found 1");
    }

    @Test
    void namesTheExpectedAndTheFoundEvent_whenAnEventDoesNotApply() {
        var flow = plan(act("a").retrying(), act("b"));
        var run = RunScript.of(flow, Ask::fails);
        run.deliver(new Begun(0));

        var late = run.deliver(new StepSucceeded(StepPath.of(0), 2, 0, false));

        assertThat(late)
                .isEqualTo(
                        new Ignored("expected the outcome of a (attempt 1), but found StepSucceeded of b (attempt 2)"));
    }

    @Test
    void ignoresAnswersAboutUnknownSteps() {
        var run = RunScript.of(plan(act("a")), Ask::succeeds);
        run.deliver(new Begun(0));

        var stray = run.deliver(new StepSucceeded(StepPath.of(7, 1), 1, 0, false));

        assertThat(stray).isInstanceOf(Ignored.class);
    }

    @Test
    void walksTenThousandItemsOnASmallStack() throws InterruptedException {
        var flow = plan(loop("l", allMatch("r", List.of(List.of(act("a").asPure())))));
        var run = RunScript.of(flow, ask -> switch (ask.path().depth()) {
            case 0 -> ask.hasItems(10_000);
            default -> flow.step(ask.path().step()).name().equals("r") ? ask.evaluatesTo(true) : ask.succeeds();
        });

        onASmallStack(run::begin);

        assertThat(run.end()).isEqualTo(succeededWith(10_000));
    }

    @Test
    void walksTenThousandStepsOnASmallStack() throws InterruptedException {
        var steps = new ArrayList<Node>();
        for (var number = 0; number < 10_000; number++) {
            steps.add(act("step_" + number).asPure());
        }
        var flow = plan(steps);
        var run = RunScript.of(flow, Ask::succeeds);

        onASmallStack(run::begin);

        assertThat(run.end()).isEqualTo(succeededWith(10_000));
    }

    private static Ended succeededWith(int stepsCount) {
        return new Ended(EndStatus.SUCCEEDED, Optional.empty(), Optional.empty(), stepsCount);
    }

    private static void onASmallStack(Runnable work) throws InterruptedException {
        var failures = new ArrayList<Throwable>();
        var thread = new Thread(null, work, "small-stack", 256 * 1024);
        thread.setUncaughtExceptionHandler((_, failure) -> failures.add(failure));
        thread.start();
        thread.join(60_000);
        assertThat(failures).isEmpty();
    }

    private static Moved moved(Transition transition) {
        assertThat(transition).isInstanceOf(Moved.class);
        return (Moved) transition;
    }
}
