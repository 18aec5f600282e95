package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.redecide.RedecisionVerdict.Kind;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.ResolvedInput;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Record and scope of the steps of a walk, and the answers that actions, loops and routers share. An answer of null ends
 * the walk.
 */
final class WalkAnswers {
    private static final RandomGenerator NO_CHANCE = () -> 0L;

    private final RedecisionWalk walk;
    private final RunRecording recording;
    private final CompiledFlow flow;
    private final StepChanges changes;

    WalkAnswers(RedecisionWalk walk, RunRecording recording, CompiledFlow flow, StepChanges changes) {
        this.walk = walk;
        this.recording = recording;
        this.flow = flow;
        this.changes = changes;
    }

    /**
     * Place of a decision.
     *
     * @param before recorded result; null without one
     */
    record Place(
            StepPath path,
            int attempt,
            String name,
            String type,
            @Nullable ObjectNode before) {}

    Place place(StepPath path, int attempt) {
        var step = flow.step(path.step());
        return new Place(path, attempt, step.name(), step.type(), walk.recordAt(path));
    }

    WalkScope scope(StepPath path) {
        var records = new RunScope(walk.maps(path), InstantSource.fixed(recording.startedAt()), NO_CHANCE);
        return new WalkScope(records, recording.startedAt());
    }

    /**
     * Returns whether the record ends before this step. Without a difference the walk reaches the steps of the run, so
     * a step of the recorded version without a record was not reached: the run was canceled, stopped or paused before.
     */
    boolean isBeyondRecord(Place place) {
        if (place.before() == null && !walk.hasDiverged() && changes.isKnown(place.name())) {
            walk.endBeyondRecord();
            return true;
        }
        return false;
    }

    /** A failure before the work of the step: final, like every failure of a walk. */
    @Nullable
    RunEvent failed(Place place, JsonNode input, String message, boolean isCall) {
        var before = place.before();
        if (before != null && isFailed(before) && (!isCall || message.equals(errorOf(before)))) {
            return fromRecord(place, before);
        }
        if (isCall
                && before != null
                && !walk.differs(new RedecisionVerdict.Different(
                        walk.text(place.path()), Kind.OTHER_INPUT, before.path("input"), TextNode.valueOf(message)))) {
            return null;
        }
        var stepRecord = RunLog.record(place.type(), "FAILED", input, null, durationOf(before));
        walk.put(place.path(), stepRecord.put("errorMessage", message));
        return new RunEvent.StepFailed(place.path(), place.attempt(), 0, message, true);
    }

    @Nullable
    RunEvent unavailable(Place place, WalkScope scope) {
        var path = walk.text(place.path());
        walk.end(
                scope.usedStoredApart()
                        ? new RedecisionVerdict.NotRecomputable(
                                path, "it reads an output that is stored apart from the log")
                        : new RedecisionVerdict.Unknown(
                                path,
                                scope.usedSandbox()
                                        ? "its expression is evaluated in the code sandbox"
                                        : "it depends on a connection, a variable, the time or a request"));
        return null;
    }

    RunEvent fromRecord(Place place, ObjectNode before) {
        walk.put(place.path(), before);
        return switch (before.path("status").asText()) {
            case "FAILED", "RUNNING" ->
                new RunEvent.StepFailed(place.path(), place.attempt(), 0, errorOf(before), true);
            case "PAUSED" -> new RunEvent.StepPaused(place.path(), place.attempt(), 0);
            default -> new RunEvent.StepSucceeded(place.path(), place.attempt(), 0, true);
        };
    }

    static boolean isFailed(ObjectNode before) {
        return before.path("status").asText().equals("FAILED");
    }

    static String errorOf(ObjectNode before) {
        return before.path("errorMessage").asText();
    }

    static long durationOf(@Nullable ObjectNode before) {
        return before == null ? 0 : before.path("duration").asLong();
    }

    /** Returns whether a step and its input are unchanged: then every evaluation gives the recorded result. */
    boolean isAsRecorded(Place place) {
        return !walk.hasDiverged() && changes.isKnown(place.name()) && !changes.isChanged(place.name());
    }

    static ResolvedInput resolved(InputTemplate template, WalkScope scope) {
        var input = template.resolveBoth(scope);
        return new ResolvedInput(scope.detached(input.value()), scope.detached(input.censored()));
    }
}
