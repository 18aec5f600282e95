package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IterationsTest {
    private final ArrayNode iterations = new ArrayNode(JsonNodeFactory.instance, new Iterations());

    private void add(int count) {
        IntStream.range(0, count)
                .forEach(number -> iterations.addObject().putObject("step").put("output", number));
    }

    @Test
    void givesEveryIterationBack() {
        // When
        add(20);

        // Then
        assertThat(iterations.size()).isEqualTo(20);
        assertThat(IntStream.range(0, 20)
                        .map(number -> iterations.get(number).at("/step/output").asInt()))
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(iterations.get(20)).isNull();
        assertThatThrownBy(() -> new Iterations().get(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void letsTheLatestIterationGrow() {
        // Given
        add(20);

        // When
        ((ObjectNode) iterations.get(19)).put("later", true);

        // Then
        assertThat(iterations.get(19).path("later").asBoolean()).isTrue();
    }

    @Test
    void isWrittenAndCopiedLikeAnyList() {
        // Given
        add(6);

        // Then
        var text = "[{\"step\":{\"output\":0}},{\"step\":{\"output\":1}},{\"step\":{\"output\":2}},"
                + "{\"step\":{\"output\":3}},{\"step\":{\"output\":4}},{\"step\":{\"output\":5}}]";
        assertThat(Json.text(iterations)).isEqualTo(text);
        assertThat(Json.text(iterations.deepCopy())).isEqualTo(text);
        assertThat(JsonSize.of(iterations)).isEqualTo(text.length() + 1 + 6 * 2);
    }
}
