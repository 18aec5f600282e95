package io.millrace.workspace.authorizationserver;

import io.millrace.base.persistence.row.Unprefixed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Refresh tokens of one grant: the valid one and its predecessor (decision 0030).
 *
 * @param validHash SHA-256 of the valid token
 * @param predecessor empty before the first rotation
 */
record RefreshFamily(@Unprefixed Grant grant, String validHash, Optional<Predecessor> predecessor) {
    /**
     * Token that was rotated last.
     *
     * @param hash SHA-256 of the token
     * @param spent time of the rotation
     * @param salt makes the valid token of the predecessor
     */
    record Predecessor(String hash, Instant spent, String salt) {}

    sealed interface Verdict {
        /** Access token without a rotation: confidential clients. */
        record Keep() implements Verdict {}

        /** Access token and the successor of the presented token, which becomes valid. */
        record Rotate() implements Verdict {}

        /** Access token and the token that is valid already: repetition of a request whose answer was lost. */
        record Repeat(RefreshToken valid) implements Verdict {}

        /** The token was spent: the grant ends. */
        record Reuse() implements Verdict {}

        /** No change: wrong client, expired, revoked or never issued. */
        record Refuse() implements Verdict {}
    }

    /** Decides the result of a presented token. The caller holds the row's lock. */
    Verdict verdict(OAuthClient client, RefreshToken presented, Instant now, Duration grace) {
        if (!grant.isRefreshableBy(client, now)) {
            return new Verdict.Refuse();
        }
        var isPublic = client.authentication() == ClientAuthentication.NONE;
        if (presented.hash().equals(validHash)) {
            return isPublic ? new Verdict.Rotate() : new Verdict.Keep();
        }
        if (!isPublic) {
            return new Verdict.Refuse();
        }
        return predecessor
                .filter(last -> last.hash().equals(presented.hash())
                        && now.isBefore(last.spent().plus(grace)))
                .map(last -> presented.successor(last.salt()))
                .filter(successor -> successor.hash().equals(validHash))
                .<Verdict>map(Verdict.Repeat::new)
                .orElseGet(Verdict.Reuse::new);
    }
}
