package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.Seeds;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSizeTest {
    private static final String CHARACTERS = "az09\"\\/\b\f\n\r\t\u0000\u001f\u007f\u0080é߿ࠀ€\uffff";

    @Test
    void countsNothing_whenThereIsNoValue() {
        assertThat(JsonSize.of(null)).isZero();
        assertThat(JsonSize.of(MissingNode.getInstance())).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "false",
                "0",
                "-1",
                "1.5",
                "1e300",
                "1.0E-7",
                "123456789012345678901234567890",
                "\"\"",
                "\"\\u0001\"",
                "\"\\ud83d\\ude00\"",
                "0.1",
                "100",
                "12345678901"
            })
    void isTheLengthOfTheText_whenTheValueIsScalar(String text) {
        // given
        var value = Json.trusted(text);

        // then
        assertThat(JsonSize.of(value)).isEqualTo(bytesOf(value));
    }

    @Test
    void isTheLengthOfTheText_whenANumberIsDecimal() {
        // given
        var value = DecimalNode.valueOf(new BigDecimal("1E+30"));

        // then
        assertThat(JsonSize.of(value)).isEqualTo(bytesOf(value));
    }

    @Test
    void countsQuotes_whenTheValueIsBinary() {
        // given
        var value = BinaryNode.valueOf(new byte[] {1, 2, 3, 4});

        // then
        assertThat(JsonSize.of(value)).isEqualTo(bytesOf(value));
    }

    @Test
    void countsOneByteMoreForEachContainerThatIsNotEmpty() {
        // given that the contract also counts a comma after the last element
        var value = Json.trusted("{\"a\":[1,2],\"b\":{},\"c\":[]}");

        // then
        assertThat(JsonSize.of(value)).isEqualTo(bytesOf(value) + 2);
    }

    @Test
    void followsTheText_ofAnyTree() {
        Seeds.each(500, random -> {
            // given
            var value = tree(random, 4);

            // then
            assertThat(JsonSize.of(value)).isEqualTo(bytesOf(value) + filledContainers(value));
        });
    }

    @Test
    void decidesWhetherAnyTreeExceedsASize() {
        Seeds.each(500, random -> {
            // given
            var value = tree(random, 4);
            var size = JsonSize.of(value);

            // then
            assertThat(JsonSize.isAtMost(value, size - 1)).isFalse();
            for (var more = 0L; more < 8 * size + 8; more += 1 + random.nextInt(9)) {
                assertThat(JsonSize.isAtMost(value, size + more)).isTrue();
            }
        });
    }

    private static long bytesOf(JsonNode value) {
        return Json.text(value).getBytes(StandardCharsets.UTF_8).length;
    }

    private static JsonNode tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> Json.object().nullNode();
            case 1 -> Json.object().booleanNode(random.nextBoolean());
            case 2 -> Json.object().numberNode(random.nextLong());
            case 3 -> Json.object().numberNode(random.nextDouble() * Math.pow(10, random.nextInt(-30, 30)));
            case 4 -> TextNode.valueOf(text(random));
            case 5 -> {
                var array = Json.array();
                for (var i = random.nextInt(4); i > 0; i--) {
                    array.add(tree(random, depth - 1));
                }
                yield array;
            }
            default -> {
                var object = Json.object();
                for (var i = random.nextInt(4); i > 0; i--) {
                    object.set(text(random), tree(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (var i = random.nextInt(12); i > 0; i--) {
            if (random.nextInt(6) == 0) {
                text.appendCodePoint(random.nextInt(0x10000, 0x10ffff));
            } else {
                text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
            }
        }
        return text.toString();
    }

    private static long filledContainers(JsonNode value) {
        var count = value.isContainerNode() && !value.isEmpty() ? 1L : 0L;
        for (var child : value) {
            count += filledContainers(child);
        }
        return count;
    }
}
