package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunPlanTest {
    private static final int NONE = RunPlan.NONE;

    private static ExecutableAction act(int index, int next) {
        return new ExecutableAction(
                index,
                "step_" + index,
                next,
                false,
                StepReach.OUTSIDE,
                new ExecutableAction.FailurePolicy(false, false, false),
                NONE,
                NONE);
    }

    @Test
    void refusesALinkOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunPlan(List.of(act(0, 1)), 0))
                .withMessage("expected step_0 to lead to a step below 1, but found 1");
    }

    @Test
    void refusesACircle() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunPlan(List.of(act(0, 1), act(1, 0)), 0))
                .withMessage("expected one link to step_0, but found another from step_1");
    }

    @Test
    void refusesAStepReachedTwice() {
        var router = new ExecutableRouter(0, "step_0", 1, false, false, List.of(1));

        assertThatIllegalArgumentException().isThrownBy(() -> new RunPlan(List.of(router, act(1, NONE)), 0));
    }

    @Test
    void refusesAStepThatIsNotReached() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunPlan(List.of(act(0, NONE), act(1, NONE)), 0))
                .withMessage("expected a link to step_1, but found none");
    }

    @Test
    void refusesAStepAtAnotherIndex() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunPlan(List.of(act(3, NONE)), 0))
                .withMessage("expected step_3 at index 3, but found it at 0");
    }

    @Test
    void knowsTheLoopAroundEachStep() {
        var plan = new RunPlan(
                List.of(
                        new ExecutableLoop(0, "outer", NONE, false, 1),
                        new ExecutableLoop(1, "inner", 3, false, 2),
                        act(2, NONE),
                        act(3, NONE)),
                0);

        assertThat(List.of(plan.loopAround(0), plan.loopAround(1), plan.loopAround(2), plan.loopAround(3)))
                .containsExactly(NONE, 0, 1, 0);
        assertThat(StepPath.of(2, 4, 7).text(plan)).isEqualTo("outer[4].inner[7].step_2");
        assertThat(StepPath.of(3, 4).text(plan)).isEqualTo("outer[4].step_3");
        assertThat(StepPath.TRIGGER.text(plan)).isEqualTo("trigger");
    }
}
