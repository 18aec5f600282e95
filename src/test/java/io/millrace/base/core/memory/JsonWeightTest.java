package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Memory estimates of parsed JSON trees for different contents of the text. */
final class JsonWeightTest {
    @Test
    void aLongStringWeighsLittleMoreThanItself_andEmptyObjectsManyTimesTheirText() {
        assertThat(weight("\"" + "x".repeat(100_000) + "\"")).isBetween(100_000L, 101_000L);
        assertThat(weight("[" + "{},".repeat(10_000) + "{}]")).isGreaterThan(50 * 30_000L);
    }

    @Test
    void marksInsideOfStringsWeighNothing() {
        assertThat(weight("\"{{{[[[,,,\\\"{{{\"")).isEqualTo(weight("\"xxxxxxxxxxxxxx\""));
    }

    @Test
    void aTextThatIsReadWeighsTheSame() throws IOException {
        var text =
                ("[" + "{\"name\": \"a \\\\ value\", \"n\": 1},".repeat(9_000) + "0]").getBytes(StandardCharsets.UTF_8);

        assertThat(JsonWeight.of(new ByteArrayInputStream(text))).isEqualTo(JsonWeight.of(text));
    }

    private static long weight(String json) {
        return JsonWeight.of(json.getBytes(StandardCharsets.UTF_8));
    }
}
