package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.sandbox.expression.InputTemplate;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Warns of steps that use a connection which the project does not have, or which has no usable value: they fail. */
final class MissingConnectionRule implements WarningRule {
    /** A cheap filter: most texts name no connection and need no compilation. */
    private static final String ROOT = "connections";

    private record Use(Step step, String path, String externalId) {}

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return uses(flow.tree())
                .flatMap(use -> problem(flow, use.externalId())
                        .map(problem -> new StepProblem(use.step().name(), use.path() + ": " + problem))
                        .stream());
    }

    private static Optional<String> problem(CheckedFlow flow, String externalId) {
        var status = flow.connections().get(externalId);
        if (status == null) {
            return Optional.of("the project has no connection " + externalId
                    + ", so the step fails; choose or create another connection");
        }
        return switch (status) {
            case ACTIVE -> Optional.empty();
            case MISSING ->
                Optional.of("the connection " + externalId + " has no credentials yet, so the step fails; connect it");
            case ERROR ->
                Optional.of("the connection " + externalId
                        + " is in error, because its last check or renewal failed, so the step fails; reconnect it");
        };
    }

    static Set<String> names(StepTree tree) {
        return uses(tree).map(Use::externalId).collect(Collectors.toSet());
    }

    private static Stream<Use> uses(StepTree tree) {
        return tree.steps().stream()
                .filter(step -> !step.isSkipped())
                .flatMap(step -> SettingText.of(step).stream()
                        .filter(setting ->
                                setting.hasExpression() && setting.text().contains(ROOT))
                        .flatMap(setting ->
                                InputTemplate.compile(TextNode.valueOf(setting.text()))
                                        .needs()
                                        .connectionNames()
                                        .stream()
                                        .sorted()
                                        .map(name -> new Use(step, setting.path(), name))));
    }
}
