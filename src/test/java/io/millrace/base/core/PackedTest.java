package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackedTest {
    @Test
    void leavesShortTextAsItIs() {
        // Given
        var text = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

        // Then
        assertThat(Packed.of(text)).isEqualTo(text);
        assertThat(Packed.text(text)).isEqualTo(text);
    }

    @Test
    void shrinksLongText_andGivesItBack() {
        // Given
        var text = ("[" + "{\"name\":\"Ada\"},".repeat(200_000) + "1]").getBytes(StandardCharsets.UTF_8);

        // When
        var packed = Packed.of(text);

        // Then
        assertThat(packed.length).isLessThan(text.length / 20);
        assertThat(Packed.text(packed)).isEqualTo(text);
    }

    @Test
    void packsAValueWhileItIsWritten() {
        // Given
        var value = Json.array();
        IntStream.range(0, 20_000)
                .forEach(number -> value.addObject().put("name", "Ada").put("number", number));

        // When
        var packed = Packed.ofLong(value);

        // Then
        assertThat(packed.length).isLessThan(Json.bytes(value).length / 3);
        assertThat(Packed.text(packed)).isEqualTo(Json.bytes(value));
    }

    @Test
    void givesEveryTextBack() {
        Seeds.each(300, random -> {
            var text = ("\"" + Seeds.text(random, "abc äß{}", 9_000) + "\"").getBytes(StandardCharsets.UTF_8);
            assertThat(Packed.text(Packed.of(text))).isEqualTo(text);
        });
    }

    @Test
    void refusesDamagedText() {
        // Given
        var packed = Packed.of("x".repeat(10_000).getBytes(StandardCharsets.UTF_8));

        // Then
        assertThatThrownBy(() -> Packed.text(Arrays.copyOf(packed, packed.length / 2)))
                .isInstanceOf(IllegalStateException.class);
    }
}
