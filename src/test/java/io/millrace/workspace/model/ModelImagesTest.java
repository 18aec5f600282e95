package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of images in responses. */
class ModelImagesTest {
    @ParameterizedTest
    @ValueSource(strings = {"TcO8bGxlcg==", "TcO8bGxlcg", "TcO8\r\nbGxlcg=="})
    void decodesBase64_withLineBreaks(String text) {
        assertThat(ModelImages.decoded(text)).isEqualTo("Müller".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusesAnAddressInPlaceOfTheImage() {
        var answer = Json.object();
        answer.putArray("choices")
                .addObject()
                .putObject("message")
                .putArray("images")
                .addObject()
                .putObject("image_url")
                .put("url", "https://images.example.com/a.png");

        var text = ModelImages.CHAT.read(answer).orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelImages.decoded(text))
                .withMessageContaining("expected Base64 in the image");
    }
}
