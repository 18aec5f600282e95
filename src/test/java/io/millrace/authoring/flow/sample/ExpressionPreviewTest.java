package io.millrace.authoring.flow.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Previews of inputs with sample data, as the editor shows them. */
class ExpressionPreviewTest {
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");

    private static ObjectNode preview(JsonNode value) {
        var samples = Json.object();
        samples.putObject("step_1").put("total", 42).put("name", "Ada");
        return ExpressionPreview.of(value, samples, () -> NOW, new SplittableRandom(1));
    }

    private static ObjectNode preview(String text) {
        return preview(TextNode.valueOf(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{{step_1['output']['total']}}|{\"value\":42}",
                "Hello {{step_1['output']['name']}}!|{\"value\":\"Hello Ada!\"}",
                "ap-formula-v1::{add({{step_1['output']['total']}}; 1)}::ap-formula-v1|{\"value\":43}",
                "{{step_2['output']}}|{\"value\":\"\"}",
                "{{connections['key']}}|{\"value\":\"••••\"}",
                "plain|{\"value\":\"plain\"}",
            })
    void resolvesAnInputForSamples(String input, String answer) {
        assertThat(Json.text(preview(input))).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ap-formula-v1::{now(}::ap-formula-v1",
                "ap-formula-v1::{no_such(1)}::ap-formula-v1",
                "{{ step_1['output' }}",
            })
    void namesTheProblem_whenTheInputCannotBeEvaluated(String input) {
        var answer = preview(input);

        assertThat(answer.path("problem").asText()).isNotBlank().doesNotContain("{");
        assertThat(answer.has("value")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ap-formula-v1::{add({{step_9['output']}};}::ap-formula-v1|add({{step_9['output']}};",
                "ap-formula-v1::{true ? 1 : no_such(1)}::ap-formula-v1|true ? 1 : no_such(1)",
                "x ap-formula-v1::{1 +}::ap-formula-v1|1 +",
                "{{ step_9['output' }}|step_9['output'",
            })
    void listsInvalidExpressionsAndFormulas_forAnySamples(String input, String text) {
        var invalid = preview(input).path("invalid");

        assertThat(invalid).hasSize(1);
        assertThat(invalid.path(0).path("text").asText()).isEqualTo(text);
        assertThat(invalid.path(0).path("problem").asText()).isNotBlank().doesNotContain("{");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ap-formula-v1::{divide(1; 0)}::ap-formula-v1",
                "ap-formula-v1::{add({{step_9['output']}}; 1)}::ap-formula-v1",
                "{{step_9['output']['a']['b']}}",
            })
    void listsNothing_whenOnlyTheValuesAreUnfit(String input) {
        assertThat(preview(input).has("invalid")).isFalse();
    }

    @Test
    void resolvesTextsInsideAnObject() {
        var body = Json.object().put("total", "{{step_1['output']['total']}}");

        assertThat(Json.text(preview(body))).isEqualTo("{\"value\":{\"total\":42}}");
    }

    @Test
    void omitsAValueOverTheLimit() {
        var limit = ExpressionPreview.VALUE_LENGTH_MAX;

        assertThat(preview("a".repeat(limit - 2)).has("value")).isTrue();
        assertThat(Json.text(preview("a".repeat(limit - 1)))).isEqualTo("{\"tooLong\":true}");
    }
}
