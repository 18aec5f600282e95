package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunJournalTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;
    private static final StepPath STEP = StepPath.of(0);

    private final RunMemory memory = new RunMemory(1 << 30);
    private final RunMemory.Part part = memory.begin(0);
    private final RunJournal journal = new RunJournal(flow(), slices(), part, NO_LIMIT, Map.of());

    private static RunSlices slices() {
        return new RunSlices(
                () -> {
                    throw new AssertionError("expected no output that is kept apart");
                },
                NO_LIMIT,
                null);
    }

    private static CompiledFlow flow() {
        var step = new PlanStep.ExecutableAction(
                0,
                "step_1",
                RunPlan.NONE,
                false,
                StepReach.OUTSIDE,
                new PlanStep.ExecutableAction.FailurePolicy(false, true, false),
                RunPlan.NONE,
                RunPlan.NONE);
        return new CompiledFlow(
                "flow",
                "version",
                "project",
                "Flow",
                new RunPlan(List.of(step), 0),
                new CompiledFlow.Trigger("trigger", "Trigger", "EMPTY", null, null),
                List.of(new CompiledFlow.CompiledStep(
                        "step_1", "Step", "CODE", List.of(), new CompiledFlow.Work.Missing("NONE", "none"))),
                null);
    }

    /** Large enough for an immediate report of each change of the memory. */
    private static TextNode large() {
        return TextNode.valueOf("x".repeat(200_000));
    }

    @Test
    void givesTheMemoryOfADiscardedAttemptBack() {
        var before = memory.used();

        for (var attempt = 1; attempt <= 20; attempt++) {
            var entry = journal.putFailed(STEP, Json.object().set("text", large()), "refused", 5);
            journal.keep(STEP, journal.withAttempts(entry, attempt));
            assertThat(memory.used()).isGreaterThan(before + 1_000_000);
            journal.discard(STEP);
            assertThat(memory.used()).as("after attempt %d", attempt).isEqualTo(before);
        }

        assertThat(journal.bytes()).isZero();
        assertThat(journal.takeUnsaved()).isEmpty();
    }

    @Test
    void keepsTheMemoryOfTheAttemptThatStays() {
        var before = memory.used();
        journal.keep(STEP, journal.putFailed(STEP, Json.object(), "refused", 5));
        journal.discard(STEP);

        journal.keep(STEP, journal.put(STEP, "SUCCEEDED", Json.object(), large(), 5));

        assertThat(memory.used() - before).isBetween(8 * 200_000L, 8 * 201_000L);
        assertThat(journal.bytes()).isBetween(200_000L, 201_000L);
    }
}
