package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.redecide.RedecisionVerdict.Kind;
import io.millrace.engine.run.step.NamedFailure;
import io.millrace.engine.run.step.RouterChoice;
import io.millrace.piece.ErrorMessage;
import io.millrace.sandbox.expression.ResolvedInput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer of null ends the walk. */
final class ControlDecisions {
    private final RedecisionWalk walk;
    private final CompiledFlow flow;
    private final WalkAnswers answers;
    private final InputTruncation truncation;

    ControlDecisions(RedecisionWalk walk, CompiledFlow flow, WalkAnswers answers, InputTruncation truncation) {
        this.walk = walk;
        this.flow = flow;
        this.answers = answers;
        this.truncation = truncation;
    }

    /** If only the values of items differ and not their number, the walk continues with the iterations. */
    @Nullable
    RunEvent items(StepPath path) {
        var place = answers.place(path, 1);
        if (answers.isBeyondRecord(place)) {
            return null;
        }
        var before = place.before();
        var scope = answers.scope(path);
        ResolvedInput items;
        try {
            items = WalkAnswers.resolved(((Work.OfLoop) flow.step(path.step()).work()).items(), scope);
        } catch (RuntimeException | StackOverflowError thrown) {
            return answers.failed(place, Json.object(), ErrorMessage.of(NamedFailure.of(thrown)), true);
        }
        if (!scope.isComputable() && before != null && answers.isAsRecorded(place)) {
            if (WalkAnswers.isFailed(before)) {
                return answers.fromRecord(place, before);
            }
            if (before.path("input").path("items") instanceof ArrayNode recorded) {
                items = new ResolvedInput(recorded, recorded);
            } else {
                return answers.unavailable(place, scope);
            }
        } else if (!scope.isComputableAtStart()) {
            return answers.unavailable(place, scope);
        }
        if (!(items.value() instanceof ArrayNode list)) {
            var input = truncation.shorten(Json.object().set("items", items.censored()));
            return answers.failed(place, input, ErrorMessage.of(NamedFailure.noList()), true);
        }
        var logged =
                truncation.shorten(Json.object().set("items", items.censored())).get("items");
        if (before != null && !walk.hasDiverged() && countOf(before) != list.size()) {
            var difference =
                    new RedecisionVerdict.Different(walk.text(path), Kind.OTHER_INPUT, before.path("input"), logged);
            if (!walk.differs(difference)) {
                return null;
            }
        }
        walk.hold(path, list);
        walk.put(path, RunLog.loopRecord(logged, WalkAnswers.durationOf(before)));
        return new RunEvent.ItemsResolved(path, list.size(), 0);
    }

    /** Number of items of a recorded loop: those of its input, unless that was shortened. */
    private static int countOf(ObjectNode before) {
        return before.path("input").path("items") instanceof ArrayNode list
                ? list.size()
                : before.path("output").path("iterations").size();
    }

    @Nullable
    RunEvent branches(StepPath path) {
        var place = answers.place(path, 1);
        if (answers.isBeyondRecord(place)) {
            return null;
        }
        var before = place.before();
        var router = (Work.OfRouter) flow.step(path.step()).work();
        var scope = answers.scope(path);
        RouterChoice choice;
        try {
            choice = RouterChoice.of(router, scope);
        } catch (RuntimeException | StackOverflowError thrown) {
            return answers.failed(place, router.logged(), ErrorMessage.of(NamedFailure.of(thrown)), true);
        }
        if (!scope.isComputable() && before != null && answers.isAsRecorded(place)) {
            return WalkAnswers.isFailed(before) ? answers.fromRecord(place, before) : chosenBefore(place, before);
        }
        if (!scope.isComputableAtStart()) {
            return answers.unavailable(place, scope);
        }
        var made = RunLog.record(
                place.type(), "SUCCEEDED", router.logged(), choice.output(), WalkAnswers.durationOf(before));
        if (before != null && !walk.hasDiverged()) {
            var isFirstOnly = ((PlanStep.ExecutableRouter) flow.plan().step(path.step())).firstMatchOnly();
            var taken = RecordComparison.takenBranches(choice.output(), isFirstOnly);
            var takenBefore = WalkAnswers.isFailed(before)
                    ? TextNode.valueOf(WalkAnswers.errorOf(before))
                    : RecordComparison.takenBranches(before.path("output"), isFirstOnly);
            if (!taken.equals(takenBefore)
                    && !walk.differs(
                            new RedecisionVerdict.Different(walk.text(path), Kind.OTHER_BRANCH, takenBefore, taken))) {
                return null;
            }
        }
        walk.put(path, before != null && RecordComparison.isSameResult(before, made) ? before : made);
        return new RunEvent.BranchesEvaluated(path, choice.evaluation(), 0);
    }

    private RunEvent chosenBefore(WalkAnswers.Place place, ObjectNode before) {
        walk.put(place.path(), before);
        List<Boolean> evaluation = new ArrayList<>();
        before.path("output")
                .path("branches")
                .forEach(branch -> evaluation.add(branch.path("evaluation").asBoolean()));
        return new RunEvent.BranchesEvaluated(place.path(), evaluation, 0);
    }
}
