package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.journal.RunJournal;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.LogBudget;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunEffect;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.RunMachine;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.machine.Transition;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.step.NamedFailure;
import io.millrace.engine.run.step.RouterChoice;
import io.millrace.piece.ErrorMessage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Executes a version as its actor does, with the journal of runs, and an environment in which impure steps have random
 * results. Returns the log as a caller would read it.
 */
final class RunRecorder {
    static final Instant STARTED = Instant.parse("2026-01-05T10:20:30Z");

    private final CompiledFlow flow;
    private final Random random;
    private final boolean hasFailures;
    private final RunJournal journal;
    private final PureStep pure;
    private RunStatus status = RunStatus.RUNNING;

    /** @param hasFailures true if one impure step in eight fails */
    RunRecorder(CompiledFlow flow, long seed, boolean hasFailures) {
        this.flow = flow;
        this.hasFailures = hasFailures;
        this.random = new Random(seed);
        this.pure = new PureStep(flow);
        var noSlices = new RunSlices(
                () -> {
                    throw new AssertionError("expected no output that is stored apart");
                },
                Long.MAX_VALUE,
                null);
        this.journal = new RunJournal(flow, noSlices, new RunMemory(1 << 30).begin(0), Long.MAX_VALUE, Map.of());
    }

    RunRecording run(JsonNode event) {
        journal.begin(event, 0);
        RunState state = new RunState.Queued(LogBudget.of(Long.MAX_VALUE), true);
        RunEvent next = new RunEvent.Begun(0);
        while (next != null) {
            var moved = (Transition.Moved) RunMachine.on(flow.plan(), state, next);
            state = moved.state();
            next = null;
            for (var effect : moved.effects()) {
                var answer = performed(effect);
                next = answer == null ? next : answer;
            }
        }
        status = state instanceof RunState.Ended ended ? RunStatus.of(ended.status()) : RunStatus.PAUSED;
        var text = RecordText.of(journal.steps()).getBytes();
        return new RunRecording(status, STARTED, (ObjectNode) RecordText.read(text));
    }

    private RunEvent performed(RunEffect effect) {
        return switch (effect) {
            case RunEffect.Execute(var path, var attempt) -> execute(path, attempt);
            case RunEffect.ResolveItems(var path) -> items(path);
            case RunEffect.EvaluateBranches(var path) -> branches(path);
            case RunEffect.EnterIteration(var path, var iteration) -> {
                journal.enterIteration(path, iteration);
                yield null;
            }
            case RunEffect.PassIterations(var path, var count) -> {
                journal.passIterations(path, count);
                yield null;
            }
            case RunEffect.DiscardAttempt(var path) -> {
                journal.discard(path);
                yield null;
            }
            case RunEffect.ScheduleRetry(var path, var attempt, var _) -> new RunEvent.RetryDue(path, attempt);
            default -> null;
        };
    }

    private RunScope scope(StepPath path) {
        return new RunScope(journal.maps(path), InstantSource.fixed(STARTED), random);
    }

    private RunEvent execute(StepPath path, int attempt) {
        var work = (Work.OfPiece) flow.step(path.step()).work();
        JsonNode input;
        try {
            input = work.input().resolveBoth(scope(path)).value();
        } catch (RuntimeException failure) {
            return failed(path, attempt, Json.object(), ErrorMessage.of(NamedFailure.of(failure)));
        }
        var isPure = ((PlanStep.ExecutableAction) flow.plan().step(path.step())).reach() == StepReach.PURE;
        if (!isPure) {
            return hasFailures && random.nextInt(8) == 0
                    ? failed(path, attempt, input, ErrorMessage.of("refused " + random.nextInt(100)))
                    : succeeded(path, attempt, input, outsideAnswer());
        }
        var done = pure.run(flow.step(path.step()).name(), work, input);
        if (done.failure() != null) {
            return failed(path, attempt, input, done.failure());
        }
        var event = succeeded(path, attempt, input, done.output());
        return done.stopped() ? new RunEvent.StepStopped(path, attempt, 0) : event;
    }

    private JsonNode outsideAnswer() {
        var answer = Json.object().put("number", random.nextInt(3)).put("text", "ß" + random.nextInt(1000));
        var list = answer.putArray("list");
        for (var i = random.nextInt(4); i > 0; i--) {
            list.add(random.nextDouble());
        }
        return answer;
    }

    private RunEvent succeeded(StepPath path, int attempt, JsonNode input, JsonNode output) {
        var entry = journal.put(path, "SUCCEEDED", input, output, random.nextInt(50));
        journal.keep(path, journal.withAttempts(entry, attempt));
        return new RunEvent.StepSucceeded(path, attempt, 0, false);
    }

    private RunEvent failed(StepPath path, int attempt, JsonNode input, String message) {
        var entry = journal.putFailed(path, input, message, random.nextInt(50));
        journal.keep(path, journal.withAttempts(entry, attempt));
        return new RunEvent.StepFailed(path, attempt, 0, message, false);
    }

    private RunEvent items(StepPath path) {
        var value = ((Work.OfLoop) flow.step(path.step()).work()).items().resolve(scope(path));
        if (value instanceof ArrayNode list) {
            journal.count(journal.putLoop(path, list, list, System.nanoTime()));
            return new RunEvent.ItemsResolved(path, list.size(), 0);
        }
        var input = Json.object().set("items", value);
        var message = ErrorMessage.of(NamedFailure.noList());
        journal.count(journal.putFailed(path, input, message, 1));
        return new RunEvent.StepFailed(path, 1, 0, message, false);
    }

    private RunEvent branches(StepPath path) {
        var router = (Work.OfRouter) flow.step(path.step()).work();
        var choice = RouterChoice.of(router, scope(path));
        journal.count(journal.put(path, "SUCCEEDED", router.logged(), choice.output(), random.nextInt(5)));
        return new RunEvent.BranchesEvaluated(path, List.copyOf(choice.evaluation()), 0);
    }
}
