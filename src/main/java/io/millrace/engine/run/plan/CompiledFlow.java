package io.millrace.engine.run.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.trigger.TriggerHook;
import io.millrace.piece.Action;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.expression.ConditionOperator;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A compiled flow version: the plan that the machine walks, and the data of each step. Immutable, and shared by all
 * runs of the version on a shard.
 *
 * @param steps one for each step of the plan, by its index
 * @param test surroundings of a step that is tested alone; null for a whole flow
 */
public record CompiledFlow(
        String flowId,
        String flowVersionId,
        String projectId,
        String flowName,
        RunPlan plan,
        Trigger trigger,
        List<CompiledStep> steps,
        StepTest test) {
    private static final String WEBHOOK_PIECE = "@activepieces/piece-webhook";

    /**
     * The start of a flow.
     *
     * @param deliveryId expression for the provider's id of an event, set by the author, or null
     */
    public record Trigger(String name, String displayName, String type, TriggerHook hook, InputTemplate deliveryId) {
        /** Returns whether a call without any item was denied access (contract flows-and-engine 17.8). */
        public boolean refusesCallers() {
            return isWebhook();
        }

        public boolean isWebhook() {
            return hook instanceof TriggerHook.OfPiece piece
                    && piece.pieceName().equals(WEBHOOK_PIECE);
        }
    }

    /**
     * Data of a step besides its position in the plan.
     *
     * @param loops names of the loops around it, outermost first
     */
    public record CompiledStep(String name, String displayName, String type, List<String> loops, Work work) {}

    public sealed interface Work {
        default List<InputTemplate> templates() {
            return switch (this) {
                case OfPiece piece -> List.of(piece.input());
                case OfCode code -> List.of(code.input());
                case OfLoop loop -> List.of(loop.items());
                case OfRouter router -> router.conditions();
                case Missing _ -> List.of();
            };
        }

        record OfPiece(Action action, InputTemplate input, PropertyProcessor processor, String pieceName)
                implements Work {}

        record OfCode(CodeProgram program, InputTemplate input) implements Work {}

        record OfLoop(InputTemplate items) implements Work {}

        /**
         * Chooses among branches.
         *
         * @param logged its settings as the log of every run shows them
         * @param loggedBytes their size in the log
         */
        record OfRouter(JsonNode logged, long loggedBytes, List<Branch> branches, Needs needs) implements Work {
            private List<InputTemplate> conditions() {
                return branches.stream()
                        .flatMap(branch -> branch.groups().stream())
                        .flatMap(List::stream)
                        .flatMap(condition -> Stream.of(condition.first(), condition.second()))
                        .filter(Objects::nonNull)
                        .toList();
            }
        }

        /** Cannot run; the message gives the reason. */
        record Missing(String errorName, String message) implements Work {}
    }

    /**
     * A branch of a router: groups of conditions, or the fallback without conditions.
     *
     * @param taken its record in the log of every run that takes it (contract flows-and-engine 9.3); never changed
     * @param passed the same for runs that do not take it
     */
    public record Branch(boolean fallback, List<List<Condition>> groups, JsonNode taken, JsonNode passed) {}

    /** The second value is null for operators that take one. */
    public record Condition(
            ConditionOperator operator, InputTemplate first, InputTemplate second, boolean caseSensitive) {}

    /**
     * Returns whether a step answers the flow's caller: its piece is the one of the trigger (contract flows-and-engine
     * 13.1).
     */
    public boolean answersWith(int index) {
        return trigger.hook() instanceof TriggerHook.OfPiece hook
                && steps.get(index).work() instanceof Work.OfPiece work
                && work.pieceName().equals(hook.pieceName());
    }

    public boolean evaluatesInWorker() {
        return steps.stream()
                .flatMap(step -> step.work().templates().stream())
                .anyMatch(template -> !template.needs().beyondGrammar().isEmpty());
    }

    public Stream<CodeProgram> programs() {
        return steps.stream()
                .map(CompiledStep::work)
                .filter(Work.OfCode.class::isInstance)
                .map(work -> ((Work.OfCode) work).program());
    }

    public CompiledStep step(int index) {
        return steps.get(index);
    }

    /** The step that ended a run of the flow, or null. */
    public FailedStep failedStep(RunState.Ended end) {
        return end.failedStep()
                .map(path -> failedStep(path, end.message().orElse(null)))
                .orElse(null);
    }

    private FailedStep failedStep(StepPath path, String message) {
        if (path.equals(StepPath.TRIGGER)) {
            return new FailedStep(trigger.name(), trigger.displayName(), message);
        }
        var step = step(path.step());
        return new FailedStep(step.name(), step.displayName(), message);
    }
}
