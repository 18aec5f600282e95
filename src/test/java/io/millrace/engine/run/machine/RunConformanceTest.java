package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static io.millrace.engine.run.machine.PlanTree.allMatch;
import static io.millrace.engine.run.machine.PlanTree.firstMatch;
import static io.millrace.engine.run.machine.PlanTree.loop;
import static io.millrace.engine.run.machine.PlanTree.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.engine.run.machine.PlanTree.Act;
import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.World.Ask;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The situations of contract flows-and-engine 34.6 that the machine decides. */
class RunConformanceTest {
    private static RunPlan flowA(Act step1, Act step3) {
        return plan(step1, loop("step_2", step3), firstMatch("step_4", List.of(List.of(), List.of())));
    }

    /** Results for flow A: two items, the fallback is true; one step has the given result. */
    private static World worldOfFlowA(String path, Function<Ask, Answer> special) {
        return ask -> switch (ask.text()) {
            case String text when text.equals(path) -> special.apply(ask);
            case "step_2" -> ask.hasItems(2);
            case "step_4" -> ask.evaluatesTo(false, true);
            default -> ask.succeeds();
        };
    }

    @Test
    void succeedsWithThreeSteps_whenNothingFails() {
        var run = RunScript.of(flowA(act("step_1"), act("step_3")), worldOfFlowA("step_1", Ask::succeeds));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.end().stepsCount()).isEqualTo(3);
        assertThat(run.trace())
                .containsExactly(
                        "StartDeadline",
                        "Execute step_1 #1",
                        "Commit",
                        "ResolveItems step_2",
                        "EnterIteration step_2[0]",
                        "Execute step_2[0].step_3 #1",
                        "Commit",
                        "EnterIteration step_2[1]",
                        "Execute step_2[1].step_3 #1",
                        "Commit",
                        "EvaluateBranches step_4",
                        "StopDeadline",
                        "Finish SUCCEEDED");
    }

    @Test
    void failsWithTheInnerStep_whenAnIterationFails() {
        var run = RunScript.of(flowA(act("step_1"), act("step_3")), worldOfFlowA("step_2[1].step_3", Ask::fails));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.FAILED);
        assertThat(run.failedStep()).contains("step_2[1].step_3");
        assertThat(run.end().message()).contains("boom in step_2[1].step_3");
        assertThat(run.records())
                .containsOnly(
                        entry("step_1", "StepSucceeded"),
                        entry("step_2", "ItemsResolved"),
                        entry("step_2[0].step_3", "StepSucceeded"),
                        entry("step_2[1].step_3", "StepFailed"));
    }

    @Test
    void continues_whenTheFailedStepContinuesOnFailure() {
        var flow = flowA(act("step_1"), act("step_3").carryingOn());
        var run = RunScript.of(flow, worldOfFlowA("step_2[1].step_3", Ask::fails));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.failedStep()).isEmpty();
        assertThat(run.end().stepsCount()).isEqualTo(2);
        assertThat(run.records())
                .containsEntry("step_2[1].step_3", "StepFailed")
                .containsEntry("step_4", "BranchesEvaluated");
    }

    @Test
    void failsAfterFourAttemptsAnd28Seconds_whenRetriesFailToo() {
        var flow = flowA(act("step_1").retrying(), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_1", Ask::fails));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.FAILED);
        assertThat(run.executions()).containsOnly(entry("step_1", 4));
        assertThat(run.waitedMs()).isEqualTo(28_000);
        assertThat(run.records()).containsOnly(entry("step_1", "StepFailed"));
        assertThat(run.trace())
                .contains(
                        "ScheduleRetry step_1 #2 in 4000 ms",
                        "ScheduleRetry step_1 #3 in 8000 ms",
                        "ScheduleRetry step_1 #4 in 16000 ms");
    }

    @Test
    void failsWithTheLoop_whenItsItemsAreNoList() {
        var run = RunScript.of(flowA(act("step_1"), act("step_3")), worldOfFlowA("step_2", Ask::fails));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.FAILED);
        assertThat(run.failedStep()).contains("step_2");
        assertThat(run.records()).containsEntry("step_2", "StepFailed").doesNotContainKey("step_4");
    }

    @Test
    void passesTheLoop_whenThereAreNoItems() {
        var flow = flowA(act("step_1"), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_2", ask -> ask.hasItems(0)));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.trace()).noneMatch(line -> line.startsWith("EnterIteration"));
        assertThat(run.records()).containsOnlyKeys("step_1", "step_2", "step_4");
    }

    @Test
    void leavesNoRecord_whenAStepIsSkipped() {
        var flow = flowA(act("step_1").skipped(), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_2", Ask::fails));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.FAILED);
        assertThat(run.records()).containsOnlyKeys("step_2");
    }

    @Test
    void walksEveryTrueBranchInOrder_whenAllMatch() {
        var flow = plan(
                allMatch("step_1", List.of(List.of(act("step_2")), List.of(act("step_3")), List.of(act("step_4")))),
                act("step_5"));
        var run = RunScript.of(
                flow, ask -> ask.text().equals("step_1") ? ask.evaluatesTo(true, false, true) : ask.succeeds());

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.trace())
                .filteredOn(line -> line.startsWith("Execute"))
                .containsExactly("Execute step_2 #1", "Execute step_4 #1", "Execute step_5 #1");
    }

    @Test
    void walksOnlyTheFirstTrueBranch_whenFirstMatches() {
        var flow = plan(firstMatch("step_1", List.of(List.of(act("step_2")), List.of(act("step_3")))));
        var run = RunScript.of(flow, ask -> ask.text().equals("step_1") ? ask.evaluatesTo(true, true) : ask.succeeds());

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.records()).containsOnlyKeys("step_1", "step_2");
    }

    @Test
    void walksTheFallback_whenItIsTheOnlyBranch() {
        var flow = plan(firstMatch("step_1", List.of(List.of(act("step_2")))));
        var run = RunScript.of(flow, ask -> ask.text().equals("step_1") ? ask.evaluatesTo(true) : ask.succeeds());

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.records()).containsOnlyKeys("step_1", "step_2");
    }

    @Test
    void succeedsEarly_whenAStepStops() {
        var flow = flowA(act("step_1"), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_1", ask -> ask.stops(10)));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.end().stepsCount()).isEqualTo(1);
        assertThat(run.records()).containsOnlyKeys("step_1");
    }

    @Test
    void pausesWithTheRecordDurable_whenAStepWaits() {
        var flow = flowA(act("step_1"), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_1", ask -> ask.pauses(10)));

        run.begin();

        assertThat(run.state()).isEqualTo(new Paused(StepPath.of(indexOf(flow, "step_1")), 1));
        assertThat(run.records()).containsOnly(entry("step_1", "StepPaused"));
        assertThat(run.trace()).endsWith("StopDeadline", "Commit");
    }

    @Test
    void keepsTheFirstIteration_whenTheRunPausesThereAndResumes() {
        var flow = flowA(act("step_1"), act("step_3"));
        var run = RunScript.of(
                flow, worldOfFlowA("step_2[0].step_3", ask -> ask.resumed() ? ask.succeeds() : ask.pauses(10)));

        run.begin().completeWaitpoint();

        assertThat(run.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(run.end().stepsCount()).isEqualTo(3);
        assertThat(run.executions())
                .containsOnly(entry("step_1", 1), entry("step_2[0].step_3", 2), entry("step_2[1].step_3", 1));
    }

    @Test
    void repeatsOnlyWhatFailed_whenRetriedFromTheFailedStep() {
        var flow = flowA(act("step_1"), act("step_3"));
        var run = RunScript.of(flow, worldOfFlowA("step_2[1].step_3", Ask::fails));
        run.begin();

        var again =
                run.retriedFromFailedStep(worldOfFlowA("step_1", Ask::fails)).begin();

        assertThat(again.end().status()).isEqualTo(EndStatus.SUCCEEDED);
        assertThat(again.end().stepsCount()).isEqualTo(3);
        assertThat(again.executions()).containsOnly(entry("step_2[1].step_3", 1));
    }

    @Test
    void endsLogSizeExceeded_whenAnOutputPassesTheBudget() {
        var flow = flowA(act("step_1").carryingOn().retrying(), act("step_3"));
        var run = new RunScript(flow, 100, true, worldOfFlowA("step_1", ask -> ask.succeeds(96)));

        run.begin();

        assertThat(run.end().status()).isEqualTo(EndStatus.LOG_SIZE_EXCEEDED);
        assertThat(run.failedStep()).contains("step_1");
        assertThat(run.end().message()).contains("the log of the run is larger than its limit of 1 MB");
        assertThat(run.end().stepsCount()).isZero();
    }

    private static int indexOf(RunPlan plan, String name) {
        return plan.steps().stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow()
                .index();
    }
}
