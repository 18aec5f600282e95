package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.CompressedText;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordTextTest {
    private static final int ROWS = 5_000;

    private static Stream<JsonNode> values() {
        return Stream.of(
                rows("Ada"), rows("half a character: \ud83d"), rows("Ada").add(deep()));
    }

    private static ArrayNode rows(String name) {
        var rows = Json.array();
        for (var row = 0; row < ROWS; row++) {
            rows.addObject().put("row", row).put("name", name);
        }
        return rows;
    }

    /** Deeper than the limit of the quick writer. */
    private static JsonNode deep() {
        var value = Json.array();
        for (var level = 0; level < 3_000; level++) {
            value = Json.array().add(value);
        }
        return value;
    }

    @ParameterizedTest(name = "[{index}]")
    @MethodSource("values")
    void keepsALongValueAsAnyOther(JsonNode value) {
        // When
        var packed = RecordText.ofLong(value);

        // Then
        assertThat(CompressedText.text(packed.getBytes()))
                .isEqualTo(CompressedText.text(RecordText.of(value).getBytes()));
        assertThat(RecordText.read(packed.getBytes()).size()).isEqualTo(value.size());
    }
}
