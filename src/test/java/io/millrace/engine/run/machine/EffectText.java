package io.millrace.engine.run.machine;

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

/** Text form of effects for the traces of tests: {@code Execute step_2[0].step_3 #1}. */
final class EffectText {
    private EffectText() {}

    static String of(RunPlan plan, RunEffect effect) {
        return switch (effect) {
            case Execute(var path, var attempt) -> "Execute " + path.text(plan) + " #" + attempt;
            case MarkBegun(var path) -> "MarkBegun " + path.text(plan);
            case ResolveItems(var path) -> "ResolveItems " + path.text(plan);
            case EnterIteration(var path, var iteration) -> "EnterIteration " + path.text(plan) + "[" + iteration + "]";
            case PassIterations(var path, var count) -> "PassIterations " + path.text(plan) + " x" + count;
            case EvaluateBranches(var path) -> "EvaluateBranches " + path.text(plan);
            case DiscardAttempt(var path) -> "DiscardAttempt " + path.text(plan);
            case ScheduleRetry(var path, var attempt, var delayMs) ->
                "ScheduleRetry " + path.text(plan) + " #" + attempt + " in " + delayMs + " ms";
            case Abandon(var path) -> "Abandon " + path.text(plan);
            case Finish(var end) -> "Finish " + end.status();
            case Commit _, StartDeadline _, StopDeadline _ -> effect.getClass().getSimpleName();
        };
    }
}
