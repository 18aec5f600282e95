package io.millrace.engine.agent.machine;

import io.millrace.engine.agent.machine.AgentEffect.AbortInFlight;
import io.millrace.engine.agent.machine.AgentEffect.AskModel;
import io.millrace.engine.agent.machine.AgentEffect.CallTool;
import io.millrace.engine.agent.machine.AgentEffect.Deliver;
import io.millrace.engine.agent.machine.AgentEffect.Offer;
import io.millrace.engine.agent.machine.AgentEvent.Answered;
import io.millrace.engine.agent.machine.AgentEvent.Begin;
import io.millrace.engine.agent.machine.AgentEvent.BudgetUsed;
import io.millrace.engine.agent.machine.AgentEvent.CallEnded;
import io.millrace.engine.agent.machine.AgentEvent.Cancel;
import io.millrace.engine.agent.machine.AgentEvent.Defect;
import io.millrace.engine.agent.machine.AgentEvent.TimePassed;
import io.millrace.engine.agent.machine.AgentEvent.TurnFailed;
import io.millrace.engine.agent.machine.AgentState.Accepted;
import io.millrace.engine.agent.machine.AgentState.Asking;
import io.millrace.engine.agent.machine.AgentState.Calling;
import io.millrace.engine.agent.machine.AgentState.Finished;
import io.millrace.engine.agent.machine.AgentTransition.Advanced;
import io.millrace.engine.agent.machine.AgentTransition.Unchanged;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** State machine of an agent run. A pure function; no event throws. */
public final class AgentMachine {
    private AgentMachine() {}

    public static AgentTransition on(AgentLimits limits, AgentState state, AgentEvent event) {
        return switch (state) {
            case Accepted _ -> onAccepted(limits, event);
            case Asking asking -> onAsking(limits, asking, event);
            case Calling calling -> onCalling(limits, calling, event);
            case Finished finished -> new Unchanged("agent run already ended " + finished.ending());
        };
    }

    /** Effects that a node repeats when it takes over the run: those without a recorded result. */
    public static List<AgentEffect> inFlight(AgentLimits limits, AgentState state) {
        return switch (state) {
            case Accepted _ -> List.of();
            case Asking(var progress, var attempt) -> List.of(ask(limits, progress, attempt));
            case Calling(var progress, var open) ->
                open.stream()
                        .sorted()
                        .<AgentEffect>map(call -> new CallTool(progress.turn(), call))
                        .toList();
            case Finished finished -> List.of(new Deliver(finished.ending()));
        };
    }

    private static AgentTransition onAccepted(AgentLimits limits, AgentEvent event) {
        return switch (event) {
            case Begin _ -> askNext(limits, AgentProgress.NONE);
            case Cancel _ -> end(AgentProgress.NONE, AgentEnding.CANCELLED);
            case TimePassed _ -> end(AgentProgress.NONE, AgentEnding.STOPPED);
            case Defect _ -> end(AgentProgress.NONE, AgentEnding.DEAD_TURN);
            case Answered _, TurnFailed _, BudgetUsed _, CallEnded _ ->
                new Unchanged("expected a begin, but found an answer");
        };
    }

    private static AgentTransition onAsking(AgentLimits limits, Asking asking, AgentEvent event) {
        var progress = asking.progress();
        return switch (event) {
            case Answered answer
            when answer.turn() == progress.turn() -> onAnswer(limits, progress.answered(answer), answer);
            case TurnFailed failure when failure.turn() == progress.turn() -> onFailure(limits, asking, failure);
            case BudgetUsed used when used.turn() == progress.turn() -> end(progress, AgentEnding.USAGE_LIMIT);
            case Answered _, TurnFailed _, BudgetUsed _ ->
                new Unchanged("expected turn " + progress.turn() + ", but found another");
            case Cancel _ -> abort(progress, AgentEnding.CANCELLED);
            case TimePassed _ -> abort(progress, AgentEnding.STOPPED);
            case Defect _ -> abort(progress, AgentEnding.DEAD_TURN);
            case Begin _, CallEnded _ -> new Unchanged("expected an answer of the model");
        };
    }

    private static AgentTransition onFailure(AgentLimits limits, Asking asking, TurnFailed failure) {
        if (!failure.retriable() || asking.attempt() > 1) {
            return end(asking.progress(), AgentEnding.DEAD_TURN);
        }
        var again = asking.attempt() + 1;
        return new Advanced(new Asking(asking.progress(), again), List.of(ask(limits, asking.progress(), again)));
    }

    private static AgentTransition onAnswer(AgentLimits limits, AgentProgress progress, Answered answer) {
        return switch (answer.shape()) {
            case WHOLE -> onWhole(limits, progress, answer.calls());
            case CUT_OFF ->
                progress.continuations() < AgentLimits.CONTINUATIONS_MAX && !isLast(limits, progress)
                        ? askNext(limits, progress.continued())
                        : end(progress, AgentEnding.OUTPUT_LIMIT);
            case MISFIT ->
                progress.repairs() < AgentLimits.REPAIRS_MAX && !progress.completed() && !isLast(limits, progress)
                        ? askNext(limits, progress.repaired())
                        : end(progress, AgentEnding.ANSWERED);
            case EMPTY ->
                progress.nudges() < AgentLimits.NUDGES_MAX && !progress.completed() && !isLast(limits, progress)
                        ? askNext(limits, progress.nudged())
                        : end(progress, AgentEnding.ANSWERED);
        };
    }

    private static AgentTransition onWhole(AgentLimits limits, AgentProgress progress, int calls) {
        if (calls == 0) {
            return end(progress, AgentEnding.ANSWERED);
        }
        if (isLast(limits, progress)) {
            return end(progress, AgentEnding.TURN_LIMIT);
        }
        var calling = new Calling(
                progress, new HashSet<>(IntStream.range(0, calls).boxed().toList()));
        return new Advanced(calling, inFlight(limits, calling));
    }

    private static AgentTransition onCalling(AgentLimits limits, Calling calling, AgentEvent event) {
        var progress = calling.progress();
        return switch (event) {
            case CallEnded ended
            when ended.turn() == progress.turn() && calling.open().contains(ended.call()) ->
                onCallEnded(limits, calling, ended);
            case CallEnded _ -> new Unchanged("this call already has a result");
            case Cancel _ -> abort(progress, AgentEnding.CANCELLED);
            case TimePassed _ -> abort(progress, AgentEnding.STOPPED);
            case Defect _ -> abort(progress, AgentEnding.DEAD_TURN);
            case Begin _, Answered _, TurnFailed _, BudgetUsed _ -> new Unchanged("expected the result of a tool call");
        };
    }

    private static AgentTransition onCallEnded(AgentLimits limits, Calling calling, CallEnded ended) {
        var progress = calling.progress().called(ended.failed());
        var open = new HashSet<>(calling.open());
        open.remove(ended.call());
        if (!open.isEmpty()) {
            return new Advanced(new Calling(progress, open), List.of());
        }
        return progress.completed() ? end(progress, AgentEnding.ANSWERED) : askNext(limits, progress);
    }

    private static AgentTransition askNext(AgentLimits limits, AgentProgress progress) {
        if (progress.tokens() >= limits.tokensMax() || limits.spending().isReachedBy(progress.spending())) {
            return end(progress, AgentEnding.USAGE_LIMIT);
        }
        var next = progress.nextTurn();
        return new Advanced(new Asking(next, 1), List.of(ask(limits, next, 1)));
    }

    private static AskModel ask(AgentLimits limits, AgentProgress progress, int attempt) {
        var last = limits.structured() ? Offer.COMPLETION : Offer.NONE;
        var isLast = isLast(limits, progress) || progress.repairs() > 0;
        return new AskModel(progress.turn(), attempt, isLast ? last : Offer.ALL);
    }

    private static boolean isLast(AgentLimits limits, AgentProgress progress) {
        return progress.turn() >= limits.turnsMax();
    }

    private static Advanced end(AgentProgress progress, AgentEnding ending) {
        return new Advanced(new Finished(progress, ending), List.of(new Deliver(ending)));
    }

    private static Advanced abort(AgentProgress progress, AgentEnding ending) {
        return new Advanced(new Finished(progress, ending), List.of(new AbortInFlight(), new Deliver(ending)));
    }
}
