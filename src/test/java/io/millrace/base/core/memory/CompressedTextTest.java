package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import io.millrace.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompressedTextTest {
    @Test
    void leavesShortTextAsItIs() {
        // Given
        var text = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

        // Then
        assertThat(CompressedText.of(text)).isEqualTo(text);
        assertThat(CompressedText.text(text)).isEqualTo(text);
    }

    @Test
    void shrinksLongText_andGivesItBack() {
        // Given
        var text = ("[" + "{\"name\":\"Ada\"},".repeat(200_000) + "1]").getBytes(StandardCharsets.UTF_8);

        // When
        var packed = CompressedText.of(text);

        // Then
        assertThat(packed.length).isLessThan(text.length / 20);
        assertThat(CompressedText.text(packed)).isEqualTo(text);
    }

    @Test
    void packsAValueWhileItIsWritten() {
        // Given
        var value = Json.array();
        IntStream.range(0, 20_000)
                .forEach(number -> value.addObject().put("name", "Ada").put("number", number));

        // When
        var packed = CompressedText.ofLong(value);

        // Then
        assertThat(packed.length).isLessThan(Json.bytes(value).length / 3);
        assertThat(CompressedText.text(packed)).isEqualTo(Json.bytes(value));
    }

    @Test
    void givesEveryTextBack() {
        Seeds.each(300, random -> {
            var text = ("\"" + Seeds.text(random, "abc äß{}", 9_000) + "\"").getBytes(StandardCharsets.UTF_8);
            assertThat(CompressedText.text(CompressedText.of(text))).isEqualTo(text);
        });
    }

    @Test
    void refusesDamagedText() {
        // Given
        var packed = CompressedText.of("x".repeat(10_000).getBytes(StandardCharsets.UTF_8));

        // Then
        assertThatThrownBy(() -> CompressedText.text(Arrays.copyOf(packed, packed.length / 2)))
                .isInstanceOf(IllegalStateException.class);
    }
}
