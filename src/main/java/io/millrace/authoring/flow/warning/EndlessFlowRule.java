package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.piece.builtin.subflow.SubflowsPiece;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Warns of flows that start themselves again without any condition: each run starts the next one. */
final class EndlessFlowRule implements WarningRule {
    private static final String TABLES = "@activepieces/piece-tables";
    private static final String HTTP = "@activepieces/piece-http";
    private static final String TABLE = "table_id";

    /** Actions by the trigger that they start. */
    private static final Map<String, Set<String>> STARTED_BY = Map.of(
            "newRecord", Set.of("tables-create-records"),
            "updatedRecord", Set.of("tables-update-record"));

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        var places = new StepPlaces(flow.tree());
        return flow.activeSteps().stream()
                .filter(step -> !places.isConditional(step.name()))
                .flatMap(step -> reason(flow, step).stream()
                        .map(reason -> new StepProblem(
                                step.name(),
                                reason + " in every run, so runs never stop starting new ones; put the step into a"
                                        + " branch with a condition")));
    }

    private static Optional<String> reason(CheckedFlow flow, Step step) {
        if (CheckedFlow.isAction(step, SubflowsPiece.NAME, "callFlow") && callsItself(flow, step)) {
            return Optional.of("the flow calls itself");
        }
        if (CheckedFlow.isAction(step, HTTP, "send_request")
                && step.input().path("url").asText().contains("/webhooks/" + flow.flowId())) {
            return Optional.of("the flow calls its own webhook");
        }
        return flow.tree().trigger() instanceof PieceTriggerStep trigger && changesItsTable(trigger, step)
                ? Optional.of("the flow changes the table that starts it")
                : Optional.empty();
    }

    private static boolean callsItself(CheckedFlow flow, Step step) {
        var input = step.input();
        var called = input.hasNonNull("flowId") ? input.path("flowId") : input.path("flow");
        var externalId = called.isObject() ? called.path("externalId").asText() : called.asText();
        return flow.externalId().filter(externalId::equals).isPresent();
    }

    private static boolean changesItsTable(PieceTriggerStep trigger, Step step) {
        var table = trigger.input().path(TABLE).asText("");
        var actions = STARTED_BY.getOrDefault(trigger.triggerName().orElse(""), Set.of());
        return trigger.pieceName().filter(TABLES::equals).isPresent()
                && !table.isEmpty()
                && table.equals(step.input().path(TABLE).asText(""))
                && actions.stream().anyMatch(action -> CheckedFlow.isAction(step, TABLES, action));
    }
}
