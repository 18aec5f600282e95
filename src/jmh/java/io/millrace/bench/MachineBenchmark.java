package io.millrace.bench;

import io.millrace.engine.run.machine.LogBudget;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.machine.RunEffect;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.RunMachine;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to decide a whole run: a sequence of steps that all succeed, from its begin to its end. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MachineBenchmark {
    private static final long LOG_BYTES = 100;

    @Param({"4", "100"})
    public int steps;

    private RunPlan plan;

    @Setup
    public void plan() {
        var sequence = new ArrayList<PlanStep>();
        for (var index = 0; index < steps; index++) {
            var next = index + 1 < steps ? index + 1 : RunPlan.NONE;
            sequence.add(new PlanStep.ExecutableAction(index, "step_" + (index + 1), next, false, StepReach.PURE, new PlanStep.ExecutableAction.FailurePolicy(false, false, false), RunPlan.NONE, RunPlan.NONE));
        }
        plan = new RunPlan(sequence, 0);
    }

    @Benchmark
    public RunState run() {
        RunState state = new RunState.Queued(LogBudget.of(Long.MAX_VALUE / 2), false);
        RunEvent event = new RunEvent.Begun(LOG_BYTES);
        while (event != null) {
            if (!(RunMachine.on(plan, state, event) instanceof Transition.Moved(var next, var effects))) {
                throw new IllegalStateException("expected a move at " + state);
            }
            state = next;
            event = answer(effects);
        }
        if (!(state instanceof RunState.Ended)) {
            throw new IllegalStateException("expected an ended run, found " + state);
        }
        return state;
    }

    private static RunEvent answer(List<RunEffect> effects) {
        for (var effect : effects) {
            if (effect instanceof RunEffect.Execute(var path, var attempt)) {
                return new RunEvent.StepSucceeded(path, attempt, LOG_BYTES, false);
            }
        }
        return null;
    }
}
