package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.sandbox.expression.InputTemplate;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Warns of steps that use a variable which the project does not have: they fail. */
final class MissingVariableRule implements WarningRule {
    /** A cheap filter: most texts name no variable and need no compilation. */
    private static final String ROOT = "variables";

    private record Use(Step step, String path, String name) {}

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return uses(flow.tree())
                .filter(use -> !flow.variables().contains(use.name()))
                .map(use -> new StepProblem(
                        use.step().name(),
                        use.path() + ": the project has no variable " + use.name()
                                + ", so the step fails; choose or create another variable"));
    }

    static Set<String> names(StepTree tree) {
        return uses(tree).map(Use::name).collect(Collectors.toSet());
    }

    private static Stream<Use> uses(StepTree tree) {
        return tree.steps().stream()
                .filter(step -> !step.isSkipped())
                .flatMap(step -> SettingText.of(step).stream()
                        .filter(setting ->
                                setting.hasExpression() && setting.text().contains(ROOT))
                        .flatMap(setting ->
                                InputTemplate.compile(TextNode.valueOf(setting.text())).needs().variableNames().stream()
                                        .sorted()
                                        .map(name -> new Use(step, setting.path(), name))));
    }
}
