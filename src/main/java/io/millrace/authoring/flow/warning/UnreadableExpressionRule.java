package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.sandbox.expression.parser.Tokeniser;
import java.util.stream.Stream;

/** Warns of expressions with a syntax error: their value is empty when the step runs. */
final class UnreadableExpressionRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> SettingText.of(step).stream()
                        .flatMap(setting -> Tokeniser.tokens(setting.text()).stream()
                                .filter(token -> ExpressionTokens.intended(setting.text(), token)
                                        .isEmpty())
                                .flatMap(token -> ExpressionTokens.syntaxError(token.inner()).stream())
                                .map(issue -> new StepProblem(
                                        step.name(),
                                        setting.path() + ": the expression {{"
                                                + ExpressionTokens.shown(issue.token())
                                                + "}} cannot be read, so its value is empty: " + issue.message()))));
    }
}
