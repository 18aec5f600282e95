package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.memory.CompressedText;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LogDictionaryTest {
    private static final String COMMON = """
            {"trigger":{"type":"PIECE_TRIGGER","status":"SUCCEEDED","input":{},"output":{"body":{"customer":"","quantity":null}}},\
            "step_1":{"type":"PIECE","status":"SUCCEEDED","input":{"mapping":{"total":null}},"output":{"total":null},"duration":0}}""";

    private static final LogDictionary DICTIONARY = new LogDictionary(COMMON.getBytes(StandardCharsets.UTF_8));

    @AutoClose("end")
    private final PresetDeflater deflater = new PresetDeflater();

    @Test
    void keepsALogInATenth_andGivesItBack() {
        for (var call = 0; call < 100; call++) {
            // Given
            var log = COMMON.replace("\"\"", "\"Ada " + call + "\"").replace("null", String.valueOf(call * 31));

            // When
            var kept = pack(DICTIONARY, log);

            // Then
            assertThat(kept.length()).isLessThan(log.length() / 4);
            assertThat(text(LogDictionary.unpacked(kept, Optional.of(DICTIONARY.text()))))
                    .isEqualTo(log);
        }
    }

    @Test
    void givesBackWhatHasNothingInCommonWithIt() {
        // Given
        var random = new Random(7);
        var letters = new StringBuilder();
        for (var letter = 0; letter < LogDictionary.LOG_BYTES_MAX; letter++) {
            letters.append((char) (' ' + random.nextInt(95)));
        }

        // When
        var kept = pack(DICTIONARY, letters.toString());

        // Then
        assertThat(text(LogDictionary.unpacked(kept, Optional.of(DICTIONARY.text()))))
                .isEqualTo(letters.toString());
    }

    @Test
    void leavesAloneWhatNeedsNoDictionary() {
        // Given
        var plain = Buffer.buffer("{}");
        var packed = Buffer.buffer(CompressedText.of(COMMON.repeat(20).getBytes(StandardCharsets.UTF_8)));

        // Then
        assertThat(LogDictionary.unpacked(plain, Optional.empty())).isSameAs(plain);
        assertThat(LogDictionary.unpacked(packed, Optional.of(DICTIONARY.text())))
                .isSameAs(packed);
    }

    @Test
    void refusesAnotherDictionaryAndNone() {
        // Given
        var kept = pack(DICTIONARY, COMMON);
        var other = Optional.of(Buffer.buffer("{\"another\":\"dictionary\"}"));

        // Then
        assertThatThrownBy(() -> LogDictionary.unpacked(kept, other)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LogDictionary.unpacked(kept, Optional.empty()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesALogThatEndsTooEarly() {
        var kept = pack(DICTIONARY, COMMON);
        var cut = kept.getBuffer(0, kept.length() - 6);
        assertThatThrownBy(() -> LogDictionary.unpacked(cut, Optional.of(DICTIONARY.text())))
                .isInstanceOf(IllegalStateException.class);
    }

    private Buffer pack(LogDictionary dictionary, String log) {
        return dictionary.pack(log.getBytes(StandardCharsets.UTF_8), deflater);
    }

    private static String text(Buffer unpacked) {
        return new String(CompressedText.text(unpacked.getBytes()), StandardCharsets.UTF_8);
    }
}
