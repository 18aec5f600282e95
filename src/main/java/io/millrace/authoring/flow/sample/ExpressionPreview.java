package io.millrace.authoring.flow.sample;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.StepView;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Value of an input for sample outputs, as an editor shows it while the input is written. Connections and variables are never read:
 * a placeholder takes their place. Pure but for the clock and the random numbers of the expression.
 */
final class ExpressionPreview {
    /** Limit in characters of JSON: a longer value is omitted from the response. */
    static final int VALUE_LENGTH_MAX = 20_000;

    private static final JsonNode SECRET = TextNode.valueOf("••••");
    private static final String BEYOND_GRAMMAR = "This expression runs as code. Test the step to see its value.";

    private ExpressionPreview() {}

    /**
     * Evaluates an input.
     *
     * @param samples outputs by step name
     * @return {@code {value}}, or {@code {problem}} if the value cannot be computed; {@code {tooLong: true}} for a value over the limit;
     *     with {@code invalid} if expressions or formulas are invalid for any samples
     */
    static ObjectNode of(JsonNode value, ObjectNode samples, InstantSource clock, RandomGenerator random) {
        var template = InputTemplate.compile(value);
        var answer = evaluated(template, new SampleScope(samples, clock, random));
        var invalid = invalid(template);
        if (!invalid.isEmpty()) {
            answer.set("invalid", invalid);
        }
        return answer;
    }

    private static ObjectNode evaluated(InputTemplate template, SampleScope scope) {
        var issue = template.syntaxIssues().stream().findFirst();
        if (issue.isPresent()) {
            return problem(
                    issue.get().kind() == SyntaxIssue.Kind.BEYOND_GRAMMAR
                            ? BEYOND_GRAMMAR
                            : issue.get().message());
        }
        try {
            return answer(template.resolve(scope));
        } catch (ExpressionFailure refused) {
            return problem(text(refused));
        }
    }

    private static ArrayNode invalid(InputTemplate template) {
        var invalid = Json.array();
        Stream.concat(
                        template.syntaxIssues().stream().filter(issue -> issue.kind() == SyntaxIssue.Kind.SYNTAX),
                        template.formulaIssues().stream())
                .forEach(issue -> invalid.addObject().put("text", issue.token()).put("problem", issue.message()));
        return invalid;
    }

    private static String text(ExpressionFailure refused) {
        try {
            return Json.parse(refused.getMessage()).path("message").asText(refused.getMessage());
        } catch (JsonProcessingException plain) {
            return refused.getMessage();
        }
    }

    private static ObjectNode problem(String text) {
        return Json.object().put("problem", text);
    }

    private static ObjectNode answer(JsonNode value) {
        if (Json.text(value).length() > VALUE_LENGTH_MAX) {
            return Json.object().put("tooLong", true);
        }
        return Json.object().set("value", value);
    }

    private record SampleScope(ObjectNode samples, InstantSource clock, RandomGenerator random)
            implements ExpressionScope {
        @Override
        public StepView step(String name) {
            var output = samples.get(name);
            return output == null ? null : StepView.of(output);
        }

        @Override
        public JsonNode connection(String name) {
            return SECRET;
        }

        @Override
        public JsonNode variable(String name) {
            return SECRET;
        }
    }
}
