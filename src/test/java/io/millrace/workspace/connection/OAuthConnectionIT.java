package io.millrace.workspace.connection;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.support.FaultyProxy;
import io.millrace.support.outside.VaultServer;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.oauth.OAuthApps;
import io.millrace.workspace.secretmanager.SecretManager;
import io.millrace.workspace.secretmanager.SecretManagers;
import io.millrace.workspace.secretmanager.SecretVendor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** OAuth connections with tokens of a provider, and their validation by pieces. */
class OAuthConnectionIT extends OAuthConnectionBench {
    @Test
    void claimsTheCode_andGivesRunsTheTokenOnly() {
        // When
        var made = save(request("OAUTH2"));

        // Then
        assertThat(made.connection().status()).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(provider.lastAsked().path()).isEqualTo("/north/token");
        assertThat(provider.lastAsked().form())
                .containsOnly(
                        Map.entry("grant_type", "authorization_code"),
                        Map.entry("code", "4711"),
                        Map.entry("redirect_uri", "https://mill.example.com/redirect"),
                        Map.entry("code_verifier", "verifier"),
                        Map.entry("client_id", "mill"),
                        Map.entry("client_secret", CLIENT_SECRET));
        assertThat(validated).containsExactly("token-1");
        var value = usable(bus);
        assertThat(value.path("type").asText()).isEqualTo("OAUTH2");
        assertThat(value.path("access_token").asText()).isEqualTo("token-1");
        assertThat(value.at("/data/instance_url").asText()).isEqualTo("https://mill.example.com");
        assertThat(value.at("/props/tenant").asText()).isEqualTo("north");
        assertThat(value.path("claimed_at").asLong()).isEqualTo(clock.instant().getEpochSecond());
        assertThat(value.has("refresh_token")).isFalse();
        assertThat(value.has("client_secret")).isFalse();
    }

    @Test
    void keepsTheTokensOfACode_thatWasClaimedDuringAnOutage() {
        // Given
        var way = FaultyProxy.to(settings.port());
        var behind = node(way.seen(settings));
        provider.hold();
        var saved = behind.ask(new Connections.Save(by, projectId, request("OAUTH2")), DEADLINE_MS);
        provider.awaitAsked(1);

        // When
        way.interrupt();
        provider.release();
        way.awaitLost(10);
        way.mend();

        // Then
        assertThat(await(saved).connection().status()).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-1");
        assertThat(provider.asked()).hasSize(1);
        way.close();
    }

    @Test
    void provesTheClientInTheHeader_whenAskedTo() {
        // When
        save(request("OAUTH2", value -> value.put("authorization_method", "HEADER")));

        // Then
        assertThat(provider.lastAsked().authorization()).startsWith("Basic ");
        assertThat(provider.lastAsked().form()).doesNotContainKeys("client_id", "client_secret");
    }

    @Test
    void claimsWithoutACode_forClientCredentials_andRenewsTheSameWay() {
        // Given
        save(request("OAUTH2", value -> value.put("grant_type", "client_credentials")));
        assertThat(provider.lastAsked().form())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("scope", "read")
                .containsEntry("tenant", "north")
                .doesNotContainKey("code");

        // When
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        assertThat(provider.lastAsked().form()).containsEntry("grant_type", "client_credentials");
    }

    @Test
    void refusesWhatTheProviderRefuses_withItsWords() {
        // Given
        provider.say(
                400, "{'error':'invalid_grant','error_description':'Code was used','echo':'" + CLIENT_SECRET + "'}");

        // When
        var refused = refusal(request("OAUTH2"));

        // Then
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CLAIM);
        assertThat(refused.params().path("message").asText()).isEqualTo("invalid_grant: Code was used");
        assertThat(refused.params().path("clientId").asText()).isEqualTo("mill");
        assertThat(refused.params().toString()).doesNotContain(CLIENT_SECRET);
        assertThat(use(bus)).isInstanceOf(ConnectionUse.NotFound.class);
    }

    @Test
    void refusesWhatThePieceRefuses() {
        // Given
        objection = Optional.of("unknown mill");

        // When
        var refused = refusal(request("OAUTH2"));
        objection = Optional.of("broken");
        var broken = refusal(request("OAUTH2"));
        objection = Optional.empty();
        var otherType = refusal(request("SECRET_TEXT", value -> value.put("secret_text", "x")));

        // Then
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_APP_CONNECTION);
        assertThat(refused.params().path("error").asText()).isEqualTo("unknown mill");
        assertThat(broken.code()).isEqualTo(ErrorCode.ENGINE_OPERATION_FAILURE);
        assertThat(broken.getMessage()).doesNotContain(CLIENT_SECRET);
        assertThat(otherType.params().path("error").asText())
                .isEqualTo("expected credentials of type OAUTH2, found SECRET_TEXT");
        assertThat(use(bus)).isInstanceOf(ConnectionUse.NotFound.class);
    }

    @Test
    void usesTheClientOfThePlatform() {
        // Given
        await(bus.ask(new OAuthApps.Save(by, PIECE, "mill", CLIENT_SECRET), DEADLINE_MS));

        // When
        save(request("PLATFORM_OAUTH2", value -> value.remove("client_secret")));
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        assertThat(provider.asked())
                .allSatisfy(asked -> assertThat(asked.form()).containsEntry("client_secret", CLIENT_SECRET));
        assertThat(refusal(request("PLATFORM_OAUTH2", value -> value.put("client_id", "other")))
                        .code())
                .isEqualTo(ErrorCode.INVALID_CLAIM);
    }

    @Test
    void sendsTheSecretOfThePlatform_toChoicesOfThePieceOnly() {
        // Given
        await(bus.ask(new OAuthApps.Save(by, PIECE, "mill", CLIENT_SECRET), DEADLINE_MS));
        authority = provider.origin().replace("127.0.0.1", "{host}");
        var platform = request("PLATFORM_OAUTH2", value -> {
            value.remove("client_secret");
            value.withObject("props").put("host", "127.0.0.1");
        });

        // When
        var refused = refusal(platform);
        var before = provider.asked().size();
        var own = save(request("OAUTH2", value -> value.withObject("props").put("host", "127.0.0.1")));
        hosts = List.of("127.0.0.1");
        var chosen = save(platform);

        // Then
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CLAIM);
        assertThat(refused.params().path("message").asText())
                .contains("the field host must be one of the choices of the piece");
        assertThat(before).isZero();
        assertThat(own.connection().status()).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(chosen.connection().status()).isEqualTo(ConnectionStatus.ACTIVE);
    }

    @Test
    void renewsWithTheSecretOfThePlatform_atChoicesOfThePieceOnly() {
        // Given
        await(bus.ask(new OAuthApps.Save(by, PIECE, "mill", CLIENT_SECRET), DEADLINE_MS));
        authority = provider.origin().replace("127.0.0.1", "{host}");
        hosts = List.of("127.0.0.1");
        save(request("PLATFORM_OAUTH2", value -> {
            value.remove("client_secret");
            value.withObject("props").put("host", "127.0.0.1");
        }));
        assertThat(provider.asked()).hasSize(1);

        // When
        hosts = List.of("other.example");
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(provider.asked()).hasSize(1);
    }

    @Test
    void asksWithTheSecretThatItsClientRefersTo_andKeepsTheReference() {
        try (var vault = new VaultServer()) {
            // Given
            vault.keep("secret/data/mill", "{'client':'first-secret'}");
            var manager = new SecretManagers.Parameters(
                    SecretVendor.HASHICORP, "Vault", SecretManager.Scope.PLATFORM, List.of(), vault.hashicorp());
            var id = await(bus.ask(new SecretManagers.Save(by, Optional.empty(), manager), DEADLINE_MS))
                    .path("id")
                    .asText();
            var reference = "{{" + id + "|ap_sep_v1|secret/data/mill/client}}";

            // When
            var saved = save(request("OAUTH2", value -> value.put("client_secret", reference)));
            vault.keep("secret/data/mill", "{'client':'second-secret'}");
            clock.advance(Duration.ofMinutes(50));
            usable(bus);
            clock.advance(Duration.ofMinutes(50));
            usable(bus);

            // Then
            assertThat(saved.connection().usingSecretManager()).isTrue();
            assertThat(provider.asked())
                    .extracting(asked -> asked.form().get("client_secret"))
                    .containsExactly("first-secret", "first-secret", "second-secret");
        }
    }

    @Test
    void sendsUsersToTheProvider() {
        // Given
        var props = Optional.of(Json.object().put("tenant", "north"));

        // When
        var answer = await(bus.ask(
                new OAuthApps.FindAuthorizationUrl(
                        by,
                        PIECE,
                        Optional.empty(),
                        "mill",
                        "https://mill.example.com/redirect",
                        Optional.empty(),
                        props),
                DEADLINE_MS));

        // Then
        assertThat(answer.path("codeVerifier").asText()).hasSize(64);
        assertThat(answer.path("authorizationUrl").asText())
                .startsWith(provider.origin() + "/authorize?tenant=north&response_type=code&client_id=mill"
                        + "&redirect_uri=https%3A%2F%2Fmill.example.com%2Fredirect")
                .contains("&scope=read+write", "&code_challenge_method=S256", "&audience=mill", "&state=")
                .doesNotContain(answer.path("codeVerifier").asText());
    }

    private ApiException refusal(NewConnection request) {
        return catchThrowableOfType(ApiException.class, () -> save(request));
    }
}
