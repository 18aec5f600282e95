package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rejects an invalid step, a malformed manifest of code, and an unreadable delivery id (contract flows-and-engine
 * 4.16). Settings of a skipped step are not checked, because it never runs.
 *
 * <p>References of expressions are not checked: a missing or unreadable reference is an empty text at run time (7.5),
 * and imported flows rely on it (decision 0406).
 */
public final class PublishCheck {
    private static final int REASONS_MAX = 5;
    private static final Pattern NUMBERED = Pattern.compile("step_\\d+");
    /** A name whose output or error is read. */
    private static final Pattern USED_AS_STEP = Pattern.compile("(?<![\\w$.])([A-Za-z_$][\\w$]*+)\\s*+"
            + "(?:(?:\\?\\.|\\.)\\s*+(?:output|error)\\b|(?:\\?\\.)?\\[\\s*+['\"](?:output|error)['\"]\\s*+])");

    private final ExpressionReader expressions;

    public PublishCheck(ExpressionReader expressions) {
        this.expressions = expressions;
    }

    /** Rejects with 400 FLOW_OPERATION_INVALID that names step and field; reasons that need the pieces are left out. */
    public void check(FlowVersion version) {
        check(version, ShapeProblems::of);
    }

    public void check(FlowVersion version, Function<Step, List<String>> reasons) {
        var tree = version.steps();
        for (var step : tree.steps()) {
            if (step instanceof CodeStep code && !step.isSkipped()) {
                code.languageProblem().ifPresent(problem -> {
                    throw refusal(step.name(), "settings/sourceCode/language", problem);
                });
            }
            if (!step.valid() && !step.isSkipped()) {
                throw refusal(step.name(), "settings", invalid(reasons.apply(step)));
            }
            if (step instanceof CodeStep code && !step.isSkipped()) {
                CodeManifest.problem(code.packageJson()).ifPresent(problem -> {
                    throw refusal(step.name(), "settings/sourceCode/packageJson", problem);
                });
            }
        }
        tree.trigger()
                .deliveryId()
                .ifPresent(text -> readDeliveryId(tree.trigger().name(), text));
    }

    private static String invalid(List<String> reasons) {
        var shown = reasons.stream().limit(REASONS_MAX).collect(Collectors.joining("; "));
        return "the step is not valid" + (shown.isEmpty() ? "" : ": " + shown);
    }

    /** Evaluated before a run exists, so only the payload is available, as the output of the trigger. */
    private void readDeliveryId(String triggerName, String text) {
        var reading = expressions.read(text);
        reading.problem().ifPresent(problem -> {
            throw refusal(triggerName, "settings/deliveryId", problem);
        });
        usedAsSteps(reading.references(), text).stream()
                .filter(name -> !name.equals(triggerName))
                .findFirst()
                .ifPresent(name -> {
                    throw refusal(
                            triggerName,
                            "settings/deliveryId",
                            "expected the trigger only, found a reference to " + name);
                });
    }

    /** Names that look like steps: by their form, or because their output or error is read. */
    private static Set<String> usedAsSteps(Set<String> references, String text) {
        var used = references.stream()
                .filter(name -> NUMBERED.matcher(name).matches())
                .collect(Collectors.toCollection(HashSet::new));
        USED_AS_STEP.matcher(text).results().forEach(match -> used.add(match.group(1)));
        used.removeIf(name -> name.startsWith("connections") || name.startsWith("variables"));
        return used;
    }

    private static ApiException refusal(String stepName, String field, String text) {
        return ApiException.of(
                ErrorCode.FLOW_OPERATION_INVALID,
                Json.object()
                        .put("message", "step " + stepName + ", field " + field + ": " + text)
                        .put("stepName", stepName)
                        .put("field", field));
    }
}
