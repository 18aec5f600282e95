package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.PieceFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part {@code refresh} of an authentication of the type CUSTOM_AUTH, which issues tokens (contract pieces 2.3, 3).
 *
 * @param life lifetime of a token whose issuer does not state it; empty for one that does not expire
 */
record TokenDefinition(Optional<Duration> life) {
    private static final Duration LIFE_UNSTATED = Duration.ofMinutes(55);
    private static final double LIFE_SECONDS_MAX = Duration.ofDays(3650).toSeconds();

    /** @param auth authentication of a piece: an object, a list of objects, or null */
    static Optional<TokenDefinition> of(JsonNode auth, ObjectNode value) {
        if (auth == null || !value.path("type").asText().equals("CUSTOM_AUTH")) {
            return Optional.empty();
        }
        var definitions = auth.isArray() ? auth.valueStream() : Stream.of(auth);
        return definitions
                .filter(one -> one.path("type").asText().equals("CUSTOM_AUTH"))
                .findFirst()
                .filter(one -> one.path("refresh").isObject())
                .map(one -> new TokenDefinition(life(one.at("/refresh/defaultExpiresIn"), Optional.of(LIFE_UNSTATED))));
    }

    /** Token in an answer {@code {access_token, expires_in?}}. */
    IssuedToken read(JsonNode answer) {
        var token = answer == null ? "" : answer.path("access_token").asText("");
        if (token.isEmpty()) {
            throw PieceFailure.named("InvalidToken", "expected the piece to return a text as access_token");
        }
        return new IssuedToken(token, life(answer.path("expires_in"), life));
    }

    /** A lifetime of 0 s is that of a token that does not expire. */
    private static Optional<Duration> life(JsonNode stated, Optional<Duration> unstated) {
        var seconds = stated.asDouble(-1);
        if (!(seconds >= 0)) {
            return unstated;
        }
        return seconds == 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (1000 * Math.min(seconds, LIFE_SECONDS_MAX))));
    }
}
