package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.piece.property.PropertyType;
import io.millrace.sandbox.expression.parser.Tokeniser;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Warns of text around an expression where a list, an object or a boolean is expected: any character around an expression, a
 * space too, makes its value a text.
 */
final class TextAroundExpressionRule implements WarningRule {
    private static final Set<PropertyType> STRUCTURED = Set.of(
            PropertyType.ARRAY,
            PropertyType.OBJECT,
            PropertyType.CHECKBOX,
            PropertyType.MULTI_SELECT_DROPDOWN,
            PropertyType.STATIC_MULTI_SELECT_DROPDOWN);
    private static final Set<String> STRUCTURED_OPERATORS =
            Set.of("LIST_IS_EMPTY", "LIST_IS_NOT_EMPTY", "BOOLEAN_IS_TRUE", "BOOLEAN_IS_FALSE");

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(
                        step -> suspects(flow, step)
                                .map(
                                        setting -> new StepProblem(
                                                step.name(),
                                                setting.path()
                                                        + ": text or a space around the expression makes its value a text; remove"
                                                        + " everything before {{ and after }} to keep lists, objects, numbers and booleans")));
    }

    private static Stream<SettingText> suspects(CheckedFlow flow, Step step) {
        return switch (step) {
            case LoopStep loop ->
                Stream.of(new SettingText("items", "items", loop.items())).filter(TextAroundExpressionRule::hasText);
            case RouterStep router -> ofConditions(router);
            case CodeStep code -> SettingText.of(code).stream().filter(TextAroundExpressionRule::hasSpace);
            case PieceStep _, PieceTriggerStep _ -> ofProperties(flow, step);
            default -> Stream.empty();
        };
    }

    private static Stream<SettingText> ofConditions(RouterStep router) {
        var found = Stream.<SettingText>builder();
        for (var branch = 0; branch < router.branches().size(); branch++) {
            for (var group : router.branches().get(branch).path("conditions")) {
                for (var condition : group) {
                    if (STRUCTURED_OPERATORS.contains(condition.path("operator").asText())) {
                        found.add(new SettingText(
                                "branches/" + branch + "/conditions",
                                "firstValue",
                                condition.path("firstValue").asText()));
                    }
                }
            }
        }
        return found.build().filter(TextAroundExpressionRule::hasText);
    }

    private static Stream<SettingText> ofProperties(CheckedFlow flow, Step step) {
        return flow.propertiesOf(step).entrySet().stream()
                .filter(property -> STRUCTURED.contains(property.getValue().type()))
                .map(property -> new SettingText(
                        "input/" + property.getKey(),
                        property.getKey(),
                        step.input().path(property.getKey()).asText("")))
                .filter(TextAroundExpressionRule::hasText);
    }

    /** A JSON list or object with expressions inside is read as JSON and causes no warning. */
    private static boolean hasText(SettingText setting) {
        var text = setting.text().strip();
        return hasSpace(setting)
                || !Tokeniser.tokens(text).isEmpty() && !isWhole(text) && !text.startsWith("[") && !isObject(text);
    }

    private static boolean isObject(String text) {
        return text.startsWith("{") && !text.startsWith("{{");
    }

    private static boolean isWhole(String text) {
        var tokens = Tokeniser.tokens(text);
        return tokens.size() == 1
                && tokens.getFirst().start() == 0
                && tokens.getFirst().end() == text.length();
    }

    /** One expression and nothing but white space around it. */
    private static boolean hasSpace(SettingText setting) {
        return !isWhole(setting.text()) && isWhole(setting.text().strip());
    }
}
