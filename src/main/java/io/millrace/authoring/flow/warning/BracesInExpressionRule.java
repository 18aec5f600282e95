package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.sandbox.expression.parser.Tokeniser;
import java.util.stream.Stream;

/** Warns of {@code }}} inside an expression: the first pair of closing braces ends it, and the rest is text. */
final class BracesInExpressionRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> SettingText.of(step).stream()
                        .flatMap(setting -> Tokeniser.tokens(setting.text()).stream()
                                .flatMap(token -> ExpressionTokens.intended(setting.text(), token).stream())
                                .map(intended -> new StepProblem(
                                        step.name(),
                                        setting.path() + ": the first }} inside {{"
                                                + ExpressionTokens.shown(intended)
                                                + "}} ends the expression, so its value is empty and the rest is text;"
                                                + " put a space between the braces: } }"))));
    }
}
