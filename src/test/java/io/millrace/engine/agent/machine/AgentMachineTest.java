package io.millrace.engine.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.agent.machine.AgentEffect.AbortInFlight;
import io.millrace.engine.agent.machine.AgentEffect.AskModel;
import io.millrace.engine.agent.machine.AgentEffect.CallTool;
import io.millrace.engine.agent.machine.AgentEffect.Deliver;
import io.millrace.engine.agent.machine.AgentEffect.Offer;
import io.millrace.engine.agent.machine.AgentEvent.Answered;
import io.millrace.engine.agent.machine.AgentEvent.CallEnded;
import io.millrace.engine.agent.machine.AgentEvent.Shape;
import io.millrace.engine.agent.machine.AgentEvent.TurnFailed;
import io.millrace.engine.agent.machine.AgentState.Finished;
import io.millrace.engine.agent.machine.AgentTransition.Advanced;
import io.millrace.engine.agent.machine.AgentTransition.Unchanged;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentMachineTest {
    private static final AgentLimits LIMITS = new AgentLimits(20, 1_000, false);

    @Test
    void capsTurnsAtFifty_whenAStepAsksForMore() {
        var limits = new AgentLimits(1_000, Long.MAX_VALUE, false);
        var state = begin(limits).state();
        var turns = 1;
        while (state instanceof AgentState.Asking) {
            var answered = advance(limits, state, new Answered(turns, Shape.WHOLE, 1, false, 1));
            if (answered.state() instanceof AgentState.Calling) {
                answered = advance(limits, answered.state(), new CallEnded(turns, 0, false));
                turns++;
            }
            state = answered.state();
        }
        assertThat(turns).isEqualTo(50);
        assertThat(ending(state)).isEqualTo(AgentEnding.TURN_LIMIT);
        assertThat(ending(state).isNormal()).isTrue();
    }

    @Test
    void offersOnlyTheCompletionTool_onTheLastTurnOfAStructuredRun() {
        assertThat(begin(new AgentLimits(1, 10, true)).effects()).containsExactly(new AskModel(1, 1, Offer.COMPLETION));
        assertThat(begin(new AgentLimits(1, 10, false)).effects()).containsExactly(new AskModel(1, 1, Offer.NONE));
    }

    @Test
    void asksOnceMore_forFieldsThatDoNotFit_andThenEnds() {
        var limits = new AgentLimits(20, 1_000, true);
        var misfit = new Answered(1, Shape.MISFIT, 0, false, 1);

        var repair = advance(limits, begin(limits).state(), misfit);

        assertThat(repair.effects()).containsExactly(new AskModel(2, 1, Offer.COMPLETION));
        var second = advance(limits, repair.state(), new Answered(2, Shape.MISFIT, 0, false, 1));
        assertThat(ending(second.state())).isEqualTo(AgentEnding.ANSWERED);
        var last = new AgentLimits(1, 1_000, true);
        assertThat(ending(advance(last, begin(last).state(), misfit).state())).isEqualTo(AgentEnding.ANSWERED);
    }

    @Test
    void asksAgain_onlyWhenAllParallelCallsHaveResults() {
        var calling = advance(LIMITS, begin(LIMITS).state(), new Answered(1, Shape.WHOLE, 2, false, 5));
        assertThat(calling.effects()).containsExactly(new CallTool(1, 0), new CallTool(1, 1));
        var one = advance(LIMITS, calling.state(), new CallEnded(1, 1, true));
        assertThat(one.effects()).isEmpty();
        assertThat(AgentMachine.inFlight(LIMITS, one.state())).containsExactly(new CallTool(1, 0));
        assertThat(AgentMachine.on(LIMITS, one.state(), new CallEnded(1, 1, false)))
                .isInstanceOf(Unchanged.class);
        var both = advance(LIMITS, one.state(), new CallEnded(1, 0, false));
        assertThat(both.effects()).containsExactly(new AskModel(2, 1, Offer.ALL));
    }

    @Test
    void keepsTheStepAlive_whenAToolFailedOrABudgetIsUsedUp() {
        var calling = advance(LIMITS, begin(LIMITS).state(), new Answered(1, Shape.WHOLE, 1, false, 1_000));
        var ended = advance(LIMITS, calling.state(), new CallEnded(1, 0, true));
        assertThat(ending(ended.state())).isEqualTo(AgentEnding.USAGE_LIMIT);
        assertThat(((Finished) ended.state()).progress().toolFailed()).isTrue();
        assertThat(ending(ended.state()).failsStep()).isFalse();
    }

    @Test
    void keepsTheStepAlive_whenTheProjectHasUsedUpItsBudget() {
        var ended = advance(LIMITS, begin(LIMITS).state(), new AgentEvent.BudgetUsed(1));
        assertThat(ended.effects()).containsExactly(new Deliver(AgentEnding.USAGE_LIMIT));
        assertThat(ending(ended.state()).failsStep()).isFalse();
        assertThat(AgentMachine.on(LIMITS, begin(LIMITS).state(), new AgentEvent.BudgetUsed(2)))
                .isInstanceOf(Unchanged.class);
    }

    @Test
    void failsTheStep_whenATurnIsDead() {
        var dead = advance(LIMITS, begin(LIMITS).state(), new TurnFailed(1, false));
        assertThat(dead.effects()).containsExactly(new Deliver(AgentEnding.DEAD_TURN));
        assertThat(ending(dead.state()).failsStep()).isTrue();
    }

    @Test
    void asksOnceMore_whenAPassingFailureCameBeforeOutput() {
        var again = advance(LIMITS, begin(LIMITS).state(), new TurnFailed(1, true));
        assertThat(again.effects()).containsExactly(new AskModel(1, 2, Offer.ALL));
        var dead = advance(LIMITS, again.state(), new TurnFailed(1, true));
        assertThat(ending(dead.state())).isEqualTo(AgentEnding.DEAD_TURN);
    }

    @Test
    void continuesACutAnswerThreeTimes_andNudgesAnEmptyOneTwice() {
        assertThat(turnsUntilEnd(Shape.CUT_OFF)).isEqualTo(4);
        assertThat(turnsUntilEnd(Shape.EMPTY)).isEqualTo(3);
    }

    @Test
    void abortsWhatIsInFlight_whenCancelledOrOutOfTime() {
        var cancelled = advance(LIMITS, begin(LIMITS).state(), new AgentEvent.Cancel());
        assertThat(cancelled.effects()).containsExactly(new AbortInFlight(), new Deliver(AgentEnding.CANCELLED));
        var calling = advance(LIMITS, begin(LIMITS).state(), new Answered(1, Shape.WHOLE, 1, false, 1));
        assertThat(ending(advance(LIMITS, calling.state(), new AgentEvent.TimePassed())
                        .state()))
                .isEqualTo(AgentEnding.STOPPED);
        assertThat(AgentMachine.on(LIMITS, cancelled.state(), new AgentEvent.Begin()))
                .isInstanceOf(Unchanged.class);
    }

    @Test
    void failsTheStep_afterADefect_inEveryStateThatIsNotFinal() {
        var asking = begin(LIMITS).state();
        var calling = advance(LIMITS, asking, new Answered(1, Shape.WHOLE, 1, false, 1))
                .state();
        for (var state : List.of(new AgentState.Accepted(), asking, calling)) {
            var struck = advance(LIMITS, state, new AgentEvent.Defect());
            assertThat(ending(struck.state()).failsStep()).as("%s", state).isTrue();
            assertThat(struck.effects()).endsWith(new Deliver(AgentEnding.DEAD_TURN));
            assertThat(AgentMachine.on(LIMITS, struck.state(), new AgentEvent.Defect()))
                    .isInstanceOf(Unchanged.class);
        }
    }

    @Test
    void repeatsTheTurnInFlight_andKeepsTheKeyOfACall() {
        var asking = begin(LIMITS);
        assertThat(AgentMachine.inFlight(LIMITS, asking.state())).isEqualTo(asking.effects());
        assertThat(new CallTool(3, 1).idempotencyKey("run")).isEqualTo("run-3-1");
    }

    private static int turnsUntilEnd(Shape shape) {
        var state = begin(LIMITS).state();
        var turn = 0;
        while (!(state instanceof Finished)) {
            turn++;
            state = advance(LIMITS, state, new Answered(turn, shape, 0, false, 1))
                    .state();
        }
        return turn;
    }

    private static Advanced begin(AgentLimits limits) {
        return advance(limits, new AgentState.Accepted(), new AgentEvent.Begin());
    }

    private static Advanced advance(AgentLimits limits, AgentState state, AgentEvent event) {
        return (Advanced) AgentMachine.on(limits, state, event);
    }

    private static AgentEnding ending(AgentState state) {
        return ((Finished) state).ending();
    }
}
