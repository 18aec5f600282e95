package io.millrace.authoring.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Splitting of texts into chunks (contract agents 7). */
class TextChunksTest {
    @Test
    void cutsATextIntoPiecesThatOverlap() {
        var text = "0123456789".repeat(500);

        var chunks = TextChunks.ofText(text);

        assertThat(chunks).hasSize(3);
        assertThat(chunks.get(0)).isEqualTo(text.substring(0, 2_000));
        assertThat(chunks.get(1)).isEqualTo(text.substring(1_800, 3_800));
        assertThat(chunks.get(2)).isEqualTo(text.substring(3_600));
    }

    @Test
    void keepsAShortTextWhole_andTearsNoCharacter() {
        assertThat(TextChunks.ofText("x".repeat(2_000))).hasSize(1);
        var text = "x".repeat(1_999) + "\uD83D\uDE00" + "y".repeat(100);

        assertThat(TextChunks.ofText(text).getFirst()).isEqualTo("x".repeat(1_999));
        assertThat(TextChunks.ofText(text).getLast()).contains("\uD83D\uDE00y");
    }

    @Test
    void cutsATableByRows_withTheHeaderInEachChunk() {
        var table = new StringBuilder("name,price\r\n");
        for (var row = 0; row < 300; row++) {
            table.append("\"wheat\nno ").append(row).append("\",12.5\r\n");
        }

        var chunks = TextChunks.ofRows(table.toString());

        assertThat(chunks).hasSizeGreaterThan(2).allSatisfy(chunk -> {
            assertThat(chunk).startsWith("name,price\n\"wheat\nno ").endsWith(",12.5");
            assertThat(chunk.length()).isLessThanOrEqualTo(2_000);
        });
        assertThat(String.join("", chunks)).contains("no 0\"").contains("no 299\"");
    }

    @Test
    void splitsARowThatIsTooLong() {
        var chunks = TextChunks.ofRows("text\n" + "z".repeat(5_000));

        assertThat(chunks).hasSize(3).allSatisfy(chunk -> assertThat(chunk).startsWith("text"));
        assertThat(chunks.stream()
                        .mapToInt(chunk -> chunk.replace("text", "").strip().length())
                        .sum())
                .isEqualTo(5_000);
    }

    @Test
    void tearsNoCharacterOfARowThatIsTooLong() {
        var row = "y" + "z\uD83D\uDE00".repeat(2_000);

        var chunks = TextChunks.ofRows("text\n" + row);

        assertThat(chunks)
                .allSatisfy(
                        chunk -> assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(chunk))
                                .isTrue());
        assertThat(String.join("", chunks).replace("text\n", "")).isEqualTo(row);
    }
}
