package io.millrace.workspace.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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

    private static OAuthProviderMetadata provider(String tokenUrl, String... choices) {
        var auth = Json.object().put("type", "OAUTH2").put("tokenUrl", tokenUrl);
        var field = auth.putObject("props").putObject("account").put("type", "STATIC_DROPDOWN");
        var options = field.putObject("options").putArray("options");
        for (var choice : choices) {
            options.addObject().put("label", choice).put("value", choice);
        }
        return OAuthProviderMetadata.of(auth).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "https://accounts.{account}/token, zoho.eu, https://accounts.zoho.eu/token",
        "https://api.{account}.io/token, eu.intercom, https://api.eu.intercom.io/token",
        "https://{account}.example.com/token, any, https://any.example.com/token",
        "https://{account}.example.com:8443/token, any, https://any.example.com:8443/token",
        "https://login.example.com/{account}/token, any, https://login.example.com/any/token",
        "{account}/token, https://eu.example.com, https://eu.example.com/token"
    })
    void sendsTheSecretOfThePlatform_toAChoiceOrBelowAFixedDomain(String template, String value, String url) {
        var provider = provider(template, "zoho.eu", "eu.intercom", "https://eu.example.com");

        assertThat(provider.withPlatformClient(account(value)).tokenUrl()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://accounts.{account}/token",
                "https://accounts.{account}:443/token",
                "https://accounts.{account}?x={account}",
                "https://api.{account}.io/token",
                "https://{account}example.com/token",
                "https://{tenant}.{account}/token",
                "{account}/token",
                "{account}.example.com/token",
                "{account}://login.example.com/token"
            })
    void refusesTheSecretOfThePlatform_toOtherHosts(String template) {
        var provider = provider(template, "zoho.eu");

        for (var value :
                new String[] {"evil.example", "ZOHO.EU", "zoho.eu.evil.example", "", "https://evil.example/?"}) {
            assertThatExceptionOfType(OAuthFailure.class)
                    .isThrownBy(() -> provider.withPlatformClient(account(value)))
                    .withMessageContaining("must be one of the choices");
        }
        assertThatExceptionOfType(OAuthFailure.class).isThrownBy(() -> provider.withPlatformClient(Optional.empty()));
    }

    @Test
    void keepsPlaceholders_withoutValues() {
        var template = "https://{account}.example.com/token";

        assertThat(OAuthProviderMetadata.filledUrl(template, Optional.empty())).isEqualTo(template);
        assertThat(OAuthProviderMetadata.filledUrl(template, Optional.of(Json.object())))
                .isEqualTo(template);
    }
}
