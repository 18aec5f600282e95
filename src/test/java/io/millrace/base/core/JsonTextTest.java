package io.millrace.base.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @Test
    void writesCharactersOutsideTheFirstPlaneAsTheyAre() {
        assertThat(new String(Json.bytes(TextNode.valueOf("a😀b")), UTF_8)).isEqualTo("\"a😀b\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDE00", "a\uD83Db", "\uDE00\uD83D", "a\uD83D"})
    void writesHalfACharacterSoThatItCanBeRead(String half) throws Exception {
        var text = Json.bytes(TextNode.valueOf(half));

        assertThat(Json.parse(text).isTextual()).isTrue();
    }

    @Test
    void writesPairsAcrossTheWritersBuffers() throws Exception {
        for (var length = 1_990; length < 2_010; length++) {
            var value = "x".repeat(length) + "😀".repeat(3_000);

            assertThat(Json.parse(Json.bytes(TextNode.valueOf(value))).asText()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400"})
    void writesANumberBeyondAllDoublesAsNull_asJavaScriptDoes(String number) throws Exception {
        var text = ("[" + number + ",1.5]").getBytes(UTF_8);

        var read = Json.parse(text);

        assertThat(read.get(0).isNumber()).isTrue();
        assertThat(read.get(0).doubleValue()).isInfinite();
        assertThat(Json.text(read)).isEqualTo("[null,1.5]");
        assertThat(new String(Json.bytes(read), UTF_8)).isEqualTo("[null,1.5]");
        assertThat(new String(DeepJson.bytes(DeepJson.parse(text)), UTF_8)).isEqualTo("[null,1.5]");
    }
}
