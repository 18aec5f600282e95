package io.millrace.workspace.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs of OAuth providers that contain fields of connections. */
final class ProviderUrlTest {
    private static Optional<ObjectNode> account(String value) {
        return Optional.of(Json.object().put("account", value));
    }

    @ParameterizedTest
    @CsvSource({
        "https://{account}.example.com/token, acme, https://acme.example.com/token",
        "https://{account}.example.com/token, acme-1.eu, https://acme-1.eu.example.com/token",
        "https://login.example.com/{account}/token, a/b, https://login.example.com/a/b/token",
        "{account}/token, https://git.acme.test:8443/x, https://git.acme.test:8443/x/token",
        "https://login.example.com/token, acme, https://login.example.com/token"
    })
    void isFilled(String template, String value, String url) {
        assertThat(OAuthProviderMetadata.filledUrl(template, account(value))).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.test/",
                "evil.test#",
                "evil.test?",
                "evil.test\\",
                "evil.test:443/",
                "user@evil.test/",
                "acme@",
                "evil.test%2f",
                "evil.test\n",
                "evil.test／",
                ".",
                "-",
                ""
            })
    void keepsItsHost(String value) {
        for (var template : new String[] {
            "https://{account}.example.com/token",
            "https://login-{account}.example.com",
            "HTTPS://login.{account}.example.com:8443/{other}"
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OAuthProviderMetadata.filledUrl(template, account(value)))
                    .withMessageContaining("account");
        }
    }

    @Test
    void keepsPlaceholders_withoutValues() {
        var template = "https://{account}.example.com/token";

        assertThat(OAuthProviderMetadata.filledUrl(template, Optional.empty())).isEqualTo(template);
        assertThat(OAuthProviderMetadata.filledUrl(template, Optional.of(Json.object())))
                .isEqualTo(template);
    }
}
