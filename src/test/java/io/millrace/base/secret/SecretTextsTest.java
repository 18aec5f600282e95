package io.millrace.base.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTextsTest {
    @ParameterizedTest
    @CsvSource({
        "sk-12345, the key sk-12345 is not valid, the key *** is not valid",
        "abcd, abcd, ***",
        "abc, the abc of it, the abc of it",
        "a, a status of a call, a status of a call",
        "'', empty, empty"
    })
    void hidesSecretsOfFourCharactersAndMore(String secret, String text, String expected) {
        assertThat(SecretTexts.hide(text, Json.object().put("apiKey", secret))).isEqualTo(expected);
    }
}
