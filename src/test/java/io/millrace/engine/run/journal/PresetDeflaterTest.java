package io.millrace.engine.run.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.memory.CompressedText;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JDK's inflater checks the output, and the JDK's deflater is the reference for its size. */
class PresetDeflaterTest {
    private static final String COMMON = """
            {"trigger":{"type":"PIECE_TRIGGER","status":"SUCCEEDED","input":{},"output":{"body":{"customer":"","quantity":null}}},\
            "step_1":{"type":"PIECE","status":"SUCCEEDED","input":{"mapping":{"customer":"","total":null}},"output":{"customer":"",\
            "total":null},"duration":0}}""";

    @AutoClose("end")
    private final PresetDeflater deflater = new PresetDeflater();

    @Test
    void writesAboutAsLittleAsZlib() {
        for (var call = 0; call < 50; call++) {
            // Given
            var log = COMMON.replace("\"customer\":\"\"", "\"customer\":\"Zoë Müller-" + call * 7919 + "\"")
                    .replace("null", String.valueOf(call * 31.5))
                    .getBytes(UTF_8);

            // When
            var packed = deflater.pack(log, preset(COMMON));

            // Then
            assertThat(inflated(packed, COMMON)).isEqualTo(log);
            assertThat(packed.length).isLessThan(zlib(log, COMMON).length * 6 / 5);
        }
    }

    @Test
    void leavesATextOfItsOwnToZlib() {
        // Given
        var log =
                COMMON.replace("\"\"", '"' + words(4_000, new Random(3)) + '"').getBytes(UTF_8);

        // When
        var packed = deflater.pack(log, preset(COMMON));

        // Then
        assertThat(packed).isEqualTo(zlib(log, COMMON));
        assertThat(inflated(packed, COMMON)).isEqualTo(log);
    }

    @Test
    void packsNothingThatWouldBeNoShorter() {
        var noise = new byte[200];
        new Random(5).nextBytes(noise);
        assertThat(deflater.pack(noise, preset(COMMON))).isNull();
        assertThat(deflater.pack(new byte[0], preset(COMMON))).isNull();
    }

    /** Matches of each length and distance with a separate code. */
    @ParameterizedTest
    @ValueSource(
            ints = {3, 4, 5, 10, 11, 12, 66, 67, 130, 131, 257, 258, 259, 260, 261, 262, 263, 515, 516, 517, 518, 8_000
            })
    void writesMatchesOfEachLength(int matched) {
        var random = new Random(matched);
        for (var own = 0; own < 40; own++) {
            // Given
            var dictionary = words(8_192, random);
            var begin = random.nextInt(dictionary.length() - matched + 1);
            var log = ("<" + "abcdefgh ".repeat(own) + dictionary.substring(begin, begin + matched) + ">")
                    .getBytes(UTF_8);

            // When
            var packed = deflater.pack(log, preset(dictionary));

            // Then
            assertThat(packed == null ? log : inflated(packed, dictionary)).isEqualTo(log);
        }
    }

    @Test
    void reachesBackNoFurtherThanTheFormatDoes() {
        // Given
        var dictionary = "the first words of all;" + words(8_000, new Random(1));
        var log = ("0123456789abcdef".repeat(2_040) + "the first words of all;").getBytes(UTF_8);

        // When
        var packed = deflater.pack(log, preset(dictionary));

        // Then
        assertThat(inflated(packed, dictionary)).isEqualTo(log);
    }

    @Test
    void compressesAnyInput() {
        var random = new Random(11);
        for (var turn = 0; turn < 5_000; turn++) {
            // Given
            var dictionary = "{" + words(1 + random.nextInt(600), random);
            var text = new StringBuilder(dictionary);
            for (var change = random.nextInt(12); change > 0; change--) {
                var from = 1 + random.nextInt(text.length());
                var to = Math.min(text.length(), from + random.nextInt(20));
                text.replace(from, to, words(random.nextInt(20), random));
            }
            var log = text.toString().getBytes(UTF_8);

            // When
            var packed = deflater.pack(log, preset(dictionary));

            // Then
            assertThat(packed == null ? log : inflated(packed, dictionary)).isEqualTo(log);
        }
    }

    private static PresetDeflater.Preset preset(String dictionary) {
        return new PresetDeflater.Preset(dictionary.getBytes(UTF_8));
    }

    private static byte[] inflated(byte[] packed, String dictionary) {
        var kept = LogDictionary.unpacked(Buffer.buffer(packed), Optional.of(Buffer.buffer(dictionary)));
        return CompressedText.text(kept.getBytes());
    }

    private static byte[] zlib(byte[] text, String dictionary) {
        try (var zlib = new Deflater(3)) {
            zlib.setDictionary(dictionary.getBytes(UTF_8));
            zlib.setInput(text);
            zlib.finish();
            var packed = new byte[text.length + 64];
            return Arrays.copyOf(packed, zlib.deflate(packed));
        }
    }

    private static String words(int length, Random random) {
        var letters = "abcdefghijklmnopqrstuvwxyz0123456789\",:{}é€";
        var words = new StringBuilder();
        while (words.length() < length) {
            words.append(letters.charAt(random.nextInt(letters.length())));
        }
        return words.toString();
    }
}
