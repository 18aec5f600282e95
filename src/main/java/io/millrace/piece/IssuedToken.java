package io.millrace.piece;

import java.time.Duration;
import java.util.Optional;

/**
 * Token that a piece has issued for credentials of the type CUSTOM_AUTH (contract pieces 3).
 *
 * @param life time until it expires; empty for a token that does not expire
 */
public record IssuedToken(String accessToken, Optional<Duration> life) {
    /** Omits the token. */
    @Override
    public String toString() {
        return "IssuedToken[" + life + "]";
    }
}
