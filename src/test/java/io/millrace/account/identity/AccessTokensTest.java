package io.millrace.account.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.support.MovableClock;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTokensTest {
    private static final String SECRET = "a secret of this test";

    private final MovableClock clock = new MovableClock();
    private final AccessTokens tokens = new AccessTokens(SECRET, clock);
    private final User user = new User(
            Ids.next(),
            clock.instant(),
            clock.instant(),
            Ids.next(),
            Ids.next(),
            PlatformRole.MEMBER,
            UserStatus.ACTIVE,
            null,
            null);

    @Test
    void readsItsOwnToken_untilSevenDaysHavePassed() {
        // Given
        var token = tokens.issue(user, "version");

        // When
        var fresh = tokens.verify(token);
        clock.advance(Duration.ofDays(7).minusSeconds(1));
        var old = tokens.verify(token);
        clock.advance(Duration.ofSeconds(1));
        var expired = tokens.verify(token);

        // Then
        assertThat(fresh).contains(new AccessTokens.Claims(user.id(), user.platformId(), "version"));
        assertThat(old).isPresent();
        assertThat(expired).isEmpty();
    }

    @Test
    void endsWithTheProvidersSession_butNeverLaterThanOthers() {
        // Given
        var early = tokens.issue(user, "version", clock.instant().plusSeconds(60));
        var late = tokens.issue(user, "version", clock.instant().plus(Duration.ofDays(400)));

        // Then
        clock.advance(Duration.ofSeconds(59));
        assertThat(tokens.verify(early)).contains(new AccessTokens.Claims(user.id(), user.platformId(), "version"));
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.verify(early)).isEmpty();
        clock.advance(Duration.ofDays(7).minusSeconds(61));
        assertThat(tokens.verify(late)).isPresent();
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.verify(late)).isEmpty();
    }

    @Test
    void carriesTheClaimsOfTheContract() {
        // When
        var parts = tokens.issue(user, null).split("\\.", -1);

        // Then
        var header = Json.trusted(Base64.getUrlDecoder().decode(parts[0]));
        var claims = Json.trusted(Base64.getUrlDecoder().decode(parts[1]));
        assertThat(header.path("kid").asText()).isEqualTo("1");
        assertThat(claims.path("type").asText()).isEqualTo("USER");
        assertThat(claims.path("iss").asText()).isEqualTo("activepieces");
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(7 * 24 * 3600);
        assertThat(claims.has("tokenVersion")).isFalse();
    }

    @Test
    void refusesToken_whenAnotherSecretSignedIt() {
        // Given
        var foreign = new AccessTokens("another secret", clock).issue(user, null);

        // When
        var claims = tokens.verify(foreign);

        // Then
        assertThat(claims).isEmpty();
    }

    @Test
    void refusesToken_whenItsClaimsWereChanged() {
        // Given
        var parts = tokens.issue(user, null).split("\\.", -1);
        var changed = (ObjectNode) Json.trusted(Base64.getUrlDecoder().decode(parts[1]));
        changed.put("id", Ids.next());

        // When
        var claims = tokens.verify(parts[0] + '.' + encode(changed) + '.' + parts[2]);

        // Then
        assertThat(claims).isEmpty();
    }

    @Test
    void refusesToken_whenItIsNotSigned() {
        // Given
        var parts = tokens.issue(user, null).split("\\.", -1);
        var header = encode(Json.object().put("alg", "none").put("typ", "JWT"));

        // When
        var claims = tokens.verify(header + '.' + parts[1] + '.');

        // Then
        assertThat(claims).isEmpty();
    }

    @Test
    void refusesToken_whenAlgorithmIssuerKindOrExpiryIsNotOurs() throws GeneralSecurityException {
        // Given
        var exp = clock.instant().plusSeconds(60).getEpochSecond();
        var good = Json.object()
                .put("id", user.id())
                .put("type", "USER")
                .put("iss", "activepieces")
                .put("exp", exp);

        // Then
        assertThat(tokens.verify(signed("HS256", good))).isPresent();
        assertThat(tokens.verify(signed("HS512", good))).isEmpty();
        assertThat(tokens.verify(signed("none", good))).isEmpty();
        assertThat(tokens.verify(signed("HS256", good.deepCopy().put("iss", "somebody"))))
                .isEmpty();
        assertThat(tokens.verify(signed("HS256", good.deepCopy().put("type", "ENGINE"))))
                .isEmpty();
        assertThat(tokens.verify(signed("HS256", good.deepCopy().put("exp", "later"))))
                .isEmpty();
        assertThat(tokens.verify(signed("HS256", good.deepCopy().without("exp"))))
                .isEmpty();
    }

    /** A decoder that ignores trailing bits would accept several texts of a token, and truncated ones. */
    @ParameterizedTest
    @ValueSource(strings = {".", "..", ".x", ".e30", " ", "\n", "=", "A"})
    void refusesToken_whenSomethingFollowsIt(String rest) {
        // When
        var token = tokens.issue(user, null);

        // Then
        assertThat(tokens.verify(token)).isPresent();
        assertThat(tokens.verify(token + rest)).isEmpty();
        assertThat(tokens.verify(rest + token)).isEmpty();
    }

    @Test
    void refusesToken_whenItNeedsAnExtension_orIsLongerThanAny() throws GeneralSecurityException {
        // Given
        var claims = Json.object()
                .put("id", user.id())
                .put("type", "USER")
                .put("iss", "activepieces")
                .put("exp", clock.instant().plusSeconds(60).getEpochSecond());
        var header = Json.object().put("alg", "HS256");

        // Then
        assertThat(tokens.verify(signed(header, claims))).isPresent();
        assertThat(tokens.verify(
                        signed(header.deepCopy().set("crit", Json.array().add("exp")), claims)))
                .isEmpty();
        assertThat(tokens.verify(signed(header, claims.deepCopy().put("more", "x".repeat(20_000)))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a.b", "a.b.c", "%.%.%", "a.b.c.d"})
    void refusesToken_whenItIsNone(String text) {
        // When
        var claims = tokens.verify(text);

        // Then
        assertThat(claims).isEmpty();
    }

    private static String signed(String algorithm, ObjectNode claims) throws GeneralSecurityException {
        return signed(Json.object().put("alg", algorithm), claims);
    }

    private static String signed(ObjectNode header, ObjectNode claims) throws GeneralSecurityException {
        var text = encode(header) + '.' + encode(claims);
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return text + '.' + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    private static String encode(ObjectNode json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(json));
    }

    @Test
    void opensInvitationsOfThePreviousSecret_andNoSession() {
        var rotated = new AccessTokens(new LinkSecrets("new secret", Optional.of(SECRET)), clock);
        var invitation = tokens.issueInvitation(Ids.next());

        assertThat(rotated.verifyInvitation(invitation)).isPresent();
        assertThat(rotated.verify(tokens.issue(user, null))).isEmpty();
        assertThat(rotated.verify("ENGINE", tokens.issueEngine(Ids.next()))).isEmpty();
        assertThat(new AccessTokens("new secret", clock).verifyInvitation(invitation))
                .isEmpty();
    }
}
