package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.Secrets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretCensorTest {
    private static final List<Secrets> LOADED = List.of(new Secrets(
            Map.of(
                    "crm",
                    new Secrets.LoadedConnection.Value(
                            Json.object().put("type", "SECRET_TEXT").put("secret_text", "open \"sesame\" now")),
                    "mill",
                    new Secrets.LoadedConnection.Value(Json.object()
                            .put("type", "CUSTOM_AUTH")
                            .set("props", Json.object().put("key", "grain-4711").put("unit", "kg"))),
                    "gone",
                    Secrets.expired("gone")),
            Map.of("HOST", "mill.example.com")));

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            key grain-4711 is unknown          | key **REDACTED** is unknown
            {"said":"open \\"sesame\\" now"}   | {"said":"**REDACTED**"}
            https://x/?k=open+%22sesame%22+now | https://x/?k=**REDACTED**
            https://x/?k=open%20%22sesame%22%20now | https://x/?k=**REDACTED**
            no answer of mill.example.com      | no answer of **REDACTED**
            SECRET_TEXT of 3 kg                | SECRET_TEXT of 3 kg
            """)
    void takesSecretsOut(String said, String shown) {
        assertThat(SecretCensor.censor(said, LOADED)).isEqualTo(shown);
    }
}
