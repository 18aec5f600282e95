package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.sandbox.expression.InputTemplate;
import java.util.stream.Stream;

/** Warns of formulas with a syntax error or an unknown name: the step fails when they are evaluated (contract flows-and-engine 32.1). */
final class BrokenFormulaRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> SettingText.of(step).stream()
                        .filter(SettingText::hasFormula)
                        .flatMap(setting ->
                                InputTemplate.compile(TextNode.valueOf(setting.text())).formulaIssues().stream()
                                        .map(issue -> new StepProblem(
                                                step.name(),
                                                setting.path() + ": the formula "
                                                        + ExpressionTokens.shown(issue.token())
                                                        + " cannot be evaluated, so the step fails: "
                                                        + issue.message()))));
    }
}
