package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.InputEdits;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.redecide.RedecisionVerdict.Kind;
import io.millrace.engine.run.step.NamedFailure;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.ResolvedInput;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of actions and code: evaluates pure steps, and takes recorded results for the others. An answer of null ends
 * the walk.
 */
final class StepDecisions {
    private final RedecisionWalk walk;
    private final CompiledFlow flow;
    private final StepChanges changes;
    private final WalkRequest request;
    private final InputTruncation truncation;
    private final WalkAnswers answers;
    private final PureStep pure;

    StepDecisions(
            RedecisionWalk walk,
            CompiledFlow flow,
            StepChanges changes,
            WalkRequest request,
            WalkAnswers answers,
            InputTruncation truncation) {
        this.walk = walk;
        this.flow = flow;
        this.changes = changes;
        this.request = request;
        this.truncation = truncation;
        this.answers = answers;
        this.pure = new PureStep(flow);
    }

    @Nullable
    RunEvent act(StepPath path, int attempt) {
        var place = answers.place(path, attempt);
        var work = flow.step(path.step()).work();
        if (answers.isBeyondRecord(place)) {
            return null;
        }
        if (work instanceof Work.Missing(var errorName, var message)) {
            var fixture = fixture(place, true, Json.object(), Json.object());
            if (fixture.isPresent()) {
                report(place, Json.object(), fixture.get());
                return answers.fromRecord(place, fixture.get());
            }
            var failure = ErrorMessage.of(PieceFailure.named(errorName, message));
            return answers.failed(place, Json.object(), failure, false);
        }
        var edit = request.edit().filter(edited -> edited.path().equals(walk.text(path)));
        edit.ifPresent(_ -> walk.diverge());
        var scope = answers.scope(path);
        ResolvedInput input;
        try {
            input = edited(WalkAnswers.resolved(work.templates().getFirst(), scope), edit);
        } catch (RuntimeException | StackOverflowError thrown) {
            return answers.failed(place, Json.object(), ErrorMessage.of(NamedFailure.of(thrown)), !isPure(path));
        }
        return isPure(path)
                ? evaluated(place, (Work.OfPiece) work, scope, input)
                : called(place, scope, input, edit.isPresent());
    }

    private Optional<ObjectNode> fixture(WalkAnswers.Place place, boolean isCall, JsonNode input, JsonNode logged) {
        return request.fixtures().equals(StepFixtures.NONE)
                ? Optional.empty()
                : request.fixtures()
                        .answer(new StepFixtures.Question(
                                walk.text(place.path()), place.name(), place.type(), isCall, input, logged));
    }

    /** Answers a pure step that cannot be evaluated. */
    private @Nullable RunEvent fixedOrUnavailable(
            WalkAnswers.Place place, WalkScope scope, JsonNode input, JsonNode logged) {
        var fixture = fixture(place, false, input, logged);
        return fixture.isPresent() ? answers.fromRecord(place, fixture.get()) : answers.unavailable(place, scope);
    }

    private void report(WalkAnswers.Place place, JsonNode logged, @Nullable ObjectNode stepRecord) {
        request.calls().called(new OutsideCall(place.path(), walk.text(place.path()), logged, stepRecord));
    }

    private static ResolvedInput edited(ResolvedInput resolved, Optional<WalkRequest.InputEdit> edit) {
        return edit.map(replacement -> InputEdits.applied(resolved, replacement.input()))
                .orElse(resolved);
    }

    private boolean isPure(StepPath path) {
        return flow.plan().step(path.step()) instanceof PlanStep.ExecutableAction act && act.reach() == StepReach.PURE;
    }

    /** The record is the recorded one where both agree, with its duration. */
    private @Nullable RunEvent evaluated(
            WalkAnswers.Place place, Work.OfPiece work, WalkScope scope, ResolvedInput input) {
        var before = place.before();
        var logged = truncation.shorten(input.censored());
        if (!scope.isComputable()) {
            if (before != null && !walk.hasDiverged() && isTrustworthy(place, before, scope, logged)) {
                return answers.fromRecord(place, before);
            }
            if (!scope.isComputableAtStart()) {
                return fixedOrUnavailable(place, scope, input.value(), logged);
            }
        }
        if (isOtherAnswer(place, logged)
                && !walk.differs(new RedecisionVerdict.Different(
                        walk.text(place.path()), Kind.OTHER_ANSWER, answerIn(before), logged))) {
            return null;
        }
        var done = pure.run(place.name(), work, input.value());
        if (done.wasRefused()) {
            return before != null && answers.isAsRecorded(place)
                    ? answers.fromRecord(place, before)
                    : fixedOrUnavailable(place, scope, input.value(), logged);
        }
        var made = RunLog.record(
                place.type(),
                done.failure() == null ? "SUCCEEDED" : "FAILED",
                logged,
                done.output(),
                WalkAnswers.durationOf(before));
        if (done.failure() != null) {
            made.put("errorMessage", done.failure());
        }
        walk.put(place.path(), before != null && RecordComparison.isSameResult(before, made) ? before : made);
        if (done.failure() != null) {
            return new RunEvent.StepFailed(place.path(), place.attempt(), 0, done.failure(), true);
        }
        return done.stopped()
                ? new RunEvent.StepStopped(place.path(), place.attempt(), 0)
                : new RunEvent.StepSucceeded(place.path(), place.attempt(), 0, true);
    }

    private boolean isOtherAnswer(WalkAnswers.Place place, JsonNode logged) {
        return flow.answersWith(place.path().step())
                && !walk.hasDiverged()
                && (place.before() == null
                        || !RecordComparison.isSame(place.before().path("input"), logged));
    }

    private static JsonNode answerIn(@Nullable ObjectNode before) {
        return before == null ? TextNode.valueOf("no answer") : before.path("input");
    }

    private @Nullable RunEvent called(
            WalkAnswers.Place place, WalkScope scope, ResolvedInput resolved, boolean isEdited) {
        var before = place.before();
        var input = truncation.shorten(resolved.censored());
        var fixture = fixture(place, true, resolved.value(), input);
        if (fixture.isPresent()) {
            report(place, input, fixture.get());
            return answers.fromRecord(place, fixture.get());
        }
        var isOtherCall = changes.otherCalls().contains(place.name());
        report(place, input, isOtherCall ? null : before);
        if (before == null) {
            return unknown(place, "it has no recorded result");
        }
        if (isOtherCall) {
            return unknown(place, "it calls another action, or runs other code, than the recorded step");
        }
        if (walk.hasDiverged() || isEdited) {
            return answers.fromRecord(place, before);
        }
        if (!isTrustworthy(place, before, scope, input)) {
            if (!scope.isComparable()) {
                return answers.unavailable(place, scope);
            }
            if (RecordComparison.isSame(before.path("input"), input)) {
                walk.end(new RedecisionVerdict.NotRecomputable(
                        walk.text(place.path()), "its recorded input was shortened, and its settings have changed"));
                return null;
            }
            var kind = flow.answersWith(place.path().step()) ? Kind.OTHER_ANSWER : Kind.OTHER_INPUT;
            var difference =
                    new RedecisionVerdict.Different(walk.text(place.path()), kind, before.path("input"), input);
            if (!walk.differs(difference)) {
                return null;
            }
        }
        return answers.fromRecord(place, before);
    }

    /**
     * Returns whether the recorded result answers this execution: an unchanged step gets the same input as long as
     * nothing before it differs, even if that input cannot be computed; a changed one must get an equal input.
     */
    private boolean isTrustworthy(WalkAnswers.Place place, ObjectNode before, WalkScope scope, JsonNode input) {
        var isChanged = changes.isChanged(place.name());
        if (!isChanged && (!scope.isComparable() || RecordComparison.isShortened(before.path("input")))) {
            return true;
        }
        return scope.isComparable()
                && RecordComparison.isSame(before.path("input"), input)
                && !(isChanged && RecordComparison.isShortened(before.path("input")));
    }

    private @Nullable RunEvent unknown(WalkAnswers.Place place, String reason) {
        walk.end(new RedecisionVerdict.Unknown(walk.text(place.path()), reason));
        return null;
    }
}
