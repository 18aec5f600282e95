package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.RouterConditions;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Warns of branches whose conditions never let them run, and of steps after a response that ends the run. */
final class UnreachableStepsRule implements WarningRule {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        var warnings = new ArrayList<StepProblem>();
        check(flow.tree().actions(), warnings);
        return warnings.stream();
    }

    private static void check(List<ActionStep> sequence, List<StepProblem> warnings) {
        ActionStep end = null;
        for (var step : sequence) {
            if (step.isSkipped()) {
                continue;
            }
            if (end != null) {
                warnings.add(new StepProblem(
                        step.name(),
                        "never runs: the response of " + end.name() + " ends the run; choose \"Respond and Continue\""
                                + " there, or move the step before it"));
                return;
            }
            if (step instanceof RouterStep router) {
                ofRouter(router, warnings);
            }
            step.sequences().forEach(inner -> check(inner, warnings));
            end = endsRun(step) ? step : null;
        }
    }

    private static boolean endsRun(ActionStep step) {
        return CheckedFlow.isAction(step, WEBHOOK, "return_response")
                && step instanceof PieceStep piece
                && !piece.continuesOnFailure()
                && step.input().path("respond").asText("stop").equals("stop");
    }

    private static void ofRouter(RouterStep router, List<StepProblem> warnings) {
        var isFirstMatch = router.executionType().equals("EXECUTE_FIRST_MATCH");
        var earlier = new HashMap<JsonNode, String>();
        var certain = Optional.<String>empty();
        for (var index = 0; index < router.alignedChildren().size(); index++) {
            var isFallback = router.isFallback(index);
            var hasSteps = !router.alignedChildren().get(index).isEmpty();
            var branch = router.settings().path("branches").path(index);
            var conditions = branch.path("conditions");
            var reason = certain.filter(_ -> isFirstMatch || isFallback)
                    .or(() -> obstacle(router, branch, conditions, isFirstMatch ? earlier : Map.of()));
            if (hasSteps && reason.isPresent()) {
                warnings.add(new StepProblem(
                        router.name(),
                        "the branch \"" + branch.path("branchName").asText(String.valueOf(index + 1))
                                + "\" never runs: " + reason.get()));
            }
            if (branch.path("branchType").asText().equals(RouterStep.CONDITION)) {
                var name = branch.path("branchName").asText();
                earlier.putIfAbsent(conditions, name);
                if (certain.isEmpty() && constant(conditions).orElse(false)) {
                    certain = Optional.of("the branch \"" + name + "\" always runs instead");
                }
            }
        }
    }

    private static Optional<String> obstacle(
            RouterStep router, JsonNode branch, JsonNode conditions, Map<JsonNode, String> earlier) {
        if (branch.isMissingNode()) {
            return Optional.of("the router " + router.name() + " no longer has this branch; delete its steps");
        }
        if (!branch.path("branchType").asText().equals(RouterStep.CONDITION)) {
            return Optional.empty();
        }
        if (earlier.containsKey(conditions)) {
            return Optional.of("the branch \"" + earlier.get(conditions) + "\" has the same conditions");
        }
        return constant(conditions).filter(holds -> !holds).map(_ -> "its conditions are never true");
    }

    /** The result of conditions that do not depend on a run. */
    private static Optional<Boolean> constant(JsonNode conditions) {
        if (!InputTemplate.compile(conditions).isConstant()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RouterConditions.evaluate(conditions));
        } catch (ExpressionFailure undecided) {
            // A condition without an operator fails the step: nothing is known of its branch.
            return Optional.empty();
        }
    }
}
