package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.core.Json;
import io.millrace.piece.input.PropertyProcessor;
import java.util.stream.Stream;

/**
 * Warns of typed dates, objects and files that cannot be read: an optional one becomes absent (contract flows-and-engine 8.3).
 * The log of a run warns of values with expressions.
 */
final class UnusableValueRule implements WarningRule {
    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> messages(flow, step).map(message -> new StepProblem(step.name(), "input/" + message)));
    }

    private static Stream<String> messages(CheckedFlow flow, Step step) {
        var props = flow.propertiesOf(step);
        if (props.isEmpty() || !(typed(step.input()) instanceof ObjectNode input)) {
            return Stream.empty();
        }
        return PropertyProcessor.compile(props, step.settings().path("propertySettings")).dropped(input).stream();
    }

    /** A copy in which null replaces each text with an expression. */
    private static JsonNode typed(JsonNode value) {
        if (value.isTextual()) {
            return new SettingText("", "", value.textValue()).hasExpression()
                    ? Json.mapper().nullNode()
                    : value;
        }
        if (value.isArray()) {
            var copy = Json.array();
            value.forEach(item -> copy.add(typed(item)));
            return copy;
        }
        if (value.isObject()) {
            var copy = Json.object();
            value.properties().forEach(field -> copy.set(field.getKey(), typed(field.getValue())));
            return copy;
        }
        return value;
    }
}
