package io.millrace.account.signon;

import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * State of a sign-on in a cookie of the browser, against login CSRF: without it an attacker's response could sign the browser
 * in to the attacker's account.
 *
 * @param verifier the secret half of the code challenge (RFC 7636)
 */
record SignOnState(ProviderName provider, String state, String nonce, String verifier) {
    static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final String TYPE = "SIGN_ON";
    private static final int SECRET_LENGTH = 43;

    static SignOnState fresh(ProviderName provider) {
        return new SignOnState(
                provider, Ids.random(SECRET_LENGTH), Ids.random(SECRET_LENGTH), Ids.random(SECRET_LENGTH));
    }

    /** Parses a ticket of this server that has not expired. */
    static Optional<SignOnState> read(String text, AccessTokens tokens) {
        return tokens.verify(TYPE, text)
                .flatMap(claims -> ProviderName.of(claims.path("provider").asText())
                        .map(provider -> new SignOnState(
                                provider,
                                claims.path("state").asText(),
                                claims.path("nonce").asText(),
                                claims.path("verifier").asText())));
    }

    String text(AccessTokens tokens) {
        var claims = Json.object()
                .put("provider", provider.text())
                .put("state", state)
                .put("nonce", nonce)
                .put("verifier", verifier);
        return tokens.issue(TYPE, claims, LIFETIME);
    }

    OidcClient.Challenge challenge() {
        var hash = Hashes.sha256(verifier.getBytes(StandardCharsets.US_ASCII));
        return new OidcClient.Challenge(
                state, nonce, Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    }

    /**
     * True when a response matches this request. For a client that does not pass the state on, the code challenge protects.
     */
    boolean answers(ProviderName otherProvider, String otherState) {
        return provider == otherProvider
                && (otherState.isEmpty()
                        || MessageDigest.isEqual(
                                state.getBytes(StandardCharsets.UTF_8), otherState.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return "Ticket[" + provider + "]";
    }
}
