package io.millrace.base.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variants of Base64, and texts that are not Base64. */
class Base64TextTest {
    @ParameterizedTest
    @CsvSource({
        "TcO8bGxlcg==, Müller",
        "TcO8bGxlcg, Müller",
        "'TcO8\r\n bGxl\tcg==', Müller",
        "TcO8bGxlcg%3D%3D, Müller",
        "Pz8%2FPj4%2B, ???>>>",
        "Pz8_Pj4-, ???>>>",
        "'', ''"
    })
    void decodesEverySpelling(String text, String expected) {
        var decoded = Base64Text.decoded(
                text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t"));

        assertThat(new String(decoded, StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "TcO8*bGxlcg==", "TcO8bGxlcg===", "TcO8bGxlcg==x", "Tc,8", "%FFTcO8", "TcO\u00fc", "data:,x"
            })
    void refusesOtherCharacters(String text) {
        assertThatThrownBy(() -> Base64Text.decoded(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesTheFieldThatIsNotBase64() {
        assertThatThrownBy(() -> Base64Text.decoded("SAMLResponse", "TcO8*bGxlcg=="))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected Base64 in SAMLResponse, found other text");
        assertThat(Base64Text.decoded("SAMLResponse", "TQ==")).containsExactly('M');
    }

    @Test
    void returnsTheBytesOfEveryEncoder() {
        var random = new Random(44);
        for (var round = 0; round < 1_000; round++) {
            var bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);

            assertThat(Base64Text.decoded(Base64.getEncoder().encodeToString(bytes)))
                    .isEqualTo(bytes);
            assertThat(Base64Text.decoded(Base64.getMimeEncoder().encode(bytes)))
                    .isEqualTo(bytes);
            assertThat(Base64Text.decoded(
                            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
                    .isEqualTo(bytes);
        }
    }
}
