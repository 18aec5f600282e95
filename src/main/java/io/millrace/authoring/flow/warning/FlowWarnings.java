package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.version.StepTree;
import java.util.List;
import java.util.Set;

/** The rule set of warnings (decision 0406). */
public final class FlowWarnings {
    /** Largest number of warnings of one flow; more are not read. */
    public static final int WARNINGS_MAX = 100;

    private static final List<WarningRule> RULES = List.of(
            new UnansweredCallRule(),
            new MissingPieceRule(),
            new MissingConnectionRule(),
            new MissingVariableRule(),
            new MissingStepRule(),
            new LateStepRule(),
            new DirectFieldRule(),
            new BracesInExpressionRule(),
            new UnreadableExpressionRule(),
            new BrokenFormulaRule(),
            new TextAroundExpressionRule(),
            new DroppedHeaderRule(),
            new RepeatedHeaderRule(),
            new CollidingInputsRule(),
            new UnreachableStepsRule(),
            new EndlessFlowRule(),
            new UnusableValueRule(),
            new NodeCodeRule(),
            new PlainSecretRule(),
            new LegacyPieceRule());

    private FlowWarnings() {}

    public static boolean dependsOnEngine(StepTree tree) {
        return tree.steps().stream().anyMatch(NodeCodeRule::isCandidate);
    }

    /** External ids of connections that active steps use. */
    public static Set<String> connectionsOf(StepTree tree) {
        return MissingConnectionRule.names(tree);
    }

    public static Set<String> variablesOf(StepTree tree) {
        return MissingVariableRule.names(tree);
    }

    /** Warnings of all rules, at most {@link #WARNINGS_MAX}; never a reason to refuse publishing. */
    public static List<StepProblem> of(CheckedFlow flow) {
        return RULES.stream()
                .flatMap(rule -> rule.check(flow))
                .distinct()
                .limit(WARNINGS_MAX)
                .toList();
    }
}
