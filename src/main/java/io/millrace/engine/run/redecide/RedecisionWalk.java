package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.LogBudget;
import io.millrace.engine.run.machine.RunEffect;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.RunMachine;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.Transition;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One walk: feeds the run machine, and performs its effects on a log in memory. Decisions come from {@link
 * StepDecisions} and {@link ControlDecisions}.
 */
final class RedecisionWalk {
    /** Bounds a walk of a version that loops over many items without any recorded step. */
    private static final int STEPS_MAX = 100_000;

    /** Bounds a walk whose steps are slow, for example at large expressions. */
    private static final long SECONDS_MAX = 10;

    private final RunRecording recording;
    private final CompiledFlow flow;
    private final StepChanges changes;
    private final WalkRequest request;
    private final LongSupplier nanos;
    private final long beganNanos;
    private final StepDecisions decisions;
    private final ControlDecisions control;
    private final RunLog log = new RunLog();
    private final Map<StepPath, ArrayNode> loopItems = new HashMap<>();
    private final List<String> visited = new ArrayList<>();
    private RedecisionVerdict verdict = new RedecisionVerdict.Same();
    private boolean isOver;
    private boolean diverged;
    private boolean endedBeyondRecord;
    private int stepsCount;

    RedecisionWalk(
            RunRecording recording,
            CompiledFlow flow,
            StepChanges changes,
            WalkRequest request,
            InputTruncation truncation,
            LongSupplier nanos) {
        this.recording = recording;
        this.flow = flow;
        this.changes = changes;
        this.request = request;
        this.nanos = nanos;
        this.beganNanos = nanos.getAsLong();
        this.diverged = request.hasOtherEvent();
        var answers = new WalkAnswers(this, recording, flow, changes);
        this.decisions = new StepDecisions(this, flow, changes, request, answers, truncation);
        this.control = new ControlDecisions(this, flow, answers, truncation);
    }

    Redecision toTheEnd() {
        var trigger = recording.steps().get(flow.trigger().name());
        if (trigger == null || trigger.path("status").asText().equals("FAILED")) {
            return new Redecision(verdict, recording.steps(), visited, false);
        }
        log.steps().set(flow.trigger().name(), trigger);
        RunState state = new RunState.Queued(LogBudget.of(Long.MAX_VALUE), true);
        RunEvent event = new RunEvent.Begun(0);
        while (event != null) {
            var transition = RunMachine.on(flow.plan(), state, event);
            if (!(transition instanceof Transition.Moved(var next, var effects))) {
                throw new IllegalStateException("re-decision of version " + flow.flowVersionId()
                        + ": the run machine ignored " + event.getClass().getSimpleName());
            }
            state = next;
            event = performed(effects);
        }
        if (!isOver && state instanceof RunState.Ended ended) {
            request.fixtures().ended(ended.status().name());
            compareEnd(ended);
        }
        return new Redecision(verdict, log.steps(), visited, endedBeyondRecord);
    }

    /** The answer to the effect that asks for one; null without a further event. */
    private @Nullable RunEvent performed(List<RunEffect> effects) {
        RunEvent answer = null;
        for (var effect : effects) {
            switch (effect) {
                case RunEffect.Execute(var path, var attempt) ->
                    answer = reached(path, () -> decisions.act(path, attempt));
                case RunEffect.ResolveItems(var path) -> answer = reached(path, () -> control.items(path));
                case RunEffect.EvaluateBranches(var path) -> answer = reached(path, () -> control.branches(path));
                case RunEffect.EnterIteration(var path, var iteration) -> enter(path, iteration);
                case RunEffect.PassIterations(var path, var count) -> {
                    for (var iteration = 0; iteration < count; iteration++) {
                        enter(path, iteration);
                    }
                }
                case RunEffect.Commit _,
                        RunEffect.StartDeadline _,
                        RunEffect.StopDeadline _,
                        RunEffect.MarkBegun _,
                        RunEffect.Abandon _,
                        RunEffect.Finish _ -> {
                    // Effects outside the walk: nothing is stored or timed.
                }
                case RunEffect.DiscardAttempt _, RunEffect.ScheduleRetry _ ->
                    throw new IllegalStateException("expected final failures only, found " + effect);
            }
        }
        return isOver ? null : answer;
    }

    private @Nullable RunEvent reached(StepPath path, Supplier<@Nullable RunEvent> decision) {
        if (++stepsCount > STEPS_MAX) {
            end(new RedecisionVerdict.NotRecomputable(text(path), "the run has more than " + STEPS_MAX + " steps"));
            return null;
        }
        if (nanos.getAsLong() - beganNanos > TimeUnit.SECONDS.toNanos(SECONDS_MAX)) {
            end(new RedecisionVerdict.NotRecomputable(
                    text(path), "its steps take longer than " + SECONDS_MAX + " s to compute"));
            return null;
        }
        if (request.listsVisited()) {
            visited.add(text(path));
        }
        return decision.get();
    }

    private void enter(StepPath path, int iteration) {
        var items = loopItems.get(path);
        if (items == null) {
            throw new IllegalStateException("expected items of " + text(path));
        }
        RunLog.enterIteration(mapOf(path), nameOf(path), iteration, items.get(iteration));
        if (iteration == items.size() - 1) {
            loopItems.remove(path);
        }
    }

    private void compareEnd(RunState.Ended ended) {
        if (diverged || !recording.isDecidedBySteps()) {
            return;
        }
        var path = ended.failedStep().map(this::text).orElse("end");
        if (!ended.status().name().equals(recording.status().name())) {
            differs(new RedecisionVerdict.Different(
                    path,
                    RedecisionVerdict.Kind.OTHER_END,
                    TextNode.valueOf(recording.status().name()),
                    TextNode.valueOf(ended.status().name())));
            return;
        }
        RecordedCalls.firstOmitted(recording.steps(), log.steps(), changes.outside())
                .ifPresent(omitted -> differs(new RedecisionVerdict.Different(
                        omitted.path(),
                        RedecisionVerdict.Kind.OTHER_CALLS,
                        omitted.input(),
                        TextNode.valueOf("no call"))));
    }

    /** Returns whether recorded results no longer follow from the walk: after a difference, or for another event. */
    boolean hasDiverged() {
        return diverged;
    }

    /** Returns whether the walk continues. */
    boolean differs(RedecisionVerdict.Different difference) {
        if (verdict instanceof RedecisionVerdict.Same) {
            verdict = difference;
        }
        diverged = true;
        isOver |= request.stopsAtDifference();
        return !isOver;
    }

    /** Marks an edit of the requester, which does not count as a difference. */
    void diverge() {
        diverged = true;
    }

    /** Ends the walk with a verdict, unless a difference was found earlier. */
    void end(RedecisionVerdict last) {
        if (verdict instanceof RedecisionVerdict.Same) {
            verdict = last;
        }
        isOver = true;
    }

    void endBeyondRecord() {
        endedBeyondRecord = true;
        isOver = true;
    }

    void hold(StepPath path, ArrayNode items) {
        loopItems.put(path, items);
    }

    List<ObjectNode> maps(StepPath path) {
        return log.mapsAt(flow.step(path.step()).loops(), path);
    }

    @Nullable
    ObjectNode recordAt(StepPath path) {
        var step = flow.step(path.step());
        return recording.at(step.loops(), path, step.name());
    }

    void put(StepPath path, JsonNode stepRecord) {
        mapOf(path).set(nameOf(path), stepRecord);
    }

    String text(StepPath path) {
        return path.text(flow.plan());
    }

    private ObjectNode mapOf(StepPath path) {
        return maps(path).getLast();
    }

    private String nameOf(StepPath path) {
        return flow.step(path.step()).name();
    }
}
