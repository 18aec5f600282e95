package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;

class InputTruncationTest {
    private static final int KILOBYTE = 1024;

    private final InputTruncation truncation = new InputTruncation(2 * KILOBYTE);

    @Test
    void keepsAValue_whenItsTextIsAsLargeAsTheThreshold() {
        // given the two quotes and the letters
        var input = input(2 * KILOBYTE - 2);

        // when
        var logged = truncation.shorten(input);

        // then
        assertThat(logged).isEqualTo(input);
    }

    @Test
    void replacesAValue_whenItsTextIsOneByteLarger() {
        // given
        var input = input(2 * KILOBYTE - 1);

        // when
        var logged = truncation.shorten(input);

        // then
        assertThat(logged.path("big").asText()).isEqualTo("(truncated, original size 2 KB)");
        assertThat(logged.path("small").asText()).isEqualTo("x");
        assertThat(input.path("big").asText()).hasSize(2 * KILOBYTE - 1);
    }

    @Test
    void roundsKilobytes() {
        assertThat(sizeText(2 * KILOBYTE + 511)).isEqualTo("2 KB");
        assertThat(sizeText(2 * KILOBYTE + 512)).isEqualTo("3 KB");
        assertThat(sizeText(1023 * KILOBYTE)).isEqualTo("1023 KB");
    }

    @Test
    void printsMegabytesWithOneDecimal_from1024KilobytesOn() {
        assertThat(sizeText(1024 * KILOBYTE)).isEqualTo("1.0 MB");
        assertThat(sizeText(1536 * KILOBYTE)).isEqualTo("1.5 MB");
    }

    @Test
    void countsBytesNotCharacters() {
        // given three bytes each
        var input = Json.object().put("big", "€".repeat(1000));

        // then
        assertThat(truncation.shorten(input).path("big").asText()).isEqualTo("(truncated, original size 3 KB)");
    }

    @Test
    void shortensOnlyTopLevelValuesOfObjects() {
        // given
        var nested = Json.object();
        nested.putObject("outer").put("inner", "x".repeat(3 * KILOBYTE));
        var text = TextNode.valueOf("x".repeat(3 * KILOBYTE));

        // when
        var logged = truncation.shorten(nested);

        // then
        assertThat(logged.path("outer").isTextual()).isTrue();
        assertThat(truncation.shorten(text)).isSameAs(text);
    }

    private String sizeText(int bytes) {
        var shown = truncation.shorten(input(bytes - 2)).path("big").asText();
        return shown.substring("(truncated, original size ".length(), shown.length() - 1);
    }

    private static ObjectNode input(int letters) {
        return Json.object().put("small", "x").put("big", "x".repeat(letters));
    }
}
