package io.millrace.workspace.authorizationserver;

import io.millrace.base.secret.Hashes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * One consent, from its authorization code to the end of its refresh token.
 *
 * @param codeHash SHA-256 of the code
 * @param isUsed true after the exchange of the code
 * @param expires end of the code, and after the exchange of the refresh token
 */
record Grant(
        String id,
        Instant created,
        String clientId,
        String userId,
        String platformId,
        Optional<String> projectId,
        Optional<String> resource,
        String redirectUri,
        String codeChallenge,
        String codeHash,
        boolean isUsed,
        Instant expires,
        boolean isRevoked) {

    boolean isCodeFor(OAuthClient client, Grants.Offer.Code offer, Instant now) {
        return clientId.equals(client.id())
                && redirectUri.equals(offer.redirectUri())
                && !isRevoked
                && expires.isAfter(now)
                && isProvenBy(offer.verifier());
    }

    boolean isRefreshableBy(OAuthClient client, Instant now) {
        return clientId.equals(client.id()) && !isRevoked && expires.isAfter(now);
    }

    /** RFC 7636, method S256. */
    private boolean isProvenBy(String verifier) {
        var digest = Hashes.sha256(verifier.getBytes(StandardCharsets.UTF_8));
        var challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        return MessageDigest.isEqual(
                challenge.getBytes(StandardCharsets.US_ASCII), codeChallenge.getBytes(StandardCharsets.UTF_8));
    }
}
