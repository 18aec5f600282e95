package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.oauth.OAuthTokens;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Tokens that pieces issue for values of the type CUSTOM_AUTH. The value holds the token as {@code access_token} and its end
 * as {@code token_expires_at} in epoch seconds, which is absent for a token that does not expire (contract admin-api 7.9).
 */
public final class PieceToken {
    /** Longest wait for a piece. */
    static final Duration DEADLINE = OAuthTokens.DEADLINE;

    private static final Duration RENEWED_BEFORE = Duration.ofMinutes(15);
    private static final String TOKEN = "access_token";
    private static final String END = "token_expires_at";

    private PieceToken() {}

    /** Asks the piece; fails as {@link Pieces.IssueToken}. */
    public static Future<Pieces.IssueOutcome> ask(
            Bus bus, String platformId, ConnectionPiece piece, ObjectNode value, Optional<String> projectId) {
        return bus.ask(
                new Pieces.IssueToken(PieceScope.of(platformId), piece.name(), piece.version(), value, projectId),
                DEADLINE.toMillis());
    }

    /** The value with a new token. */
    public static RenewedValue with(ObjectNode value, IssuedToken token, Instant now) {
        var renewed = without(value).put(TOKEN, token.accessToken());
        token.life().ifPresent(life -> renewed.put(END, now.plus(life).getEpochSecond()));
        return new RenewedValue(renewed, token.life().map(life -> now.plus(life).minus(buffer(life))));
    }

    /** The value without a token, which is never due. */
    static RenewedValue needless(ObjectNode value) {
        return new RenewedValue(without(value), Optional.empty());
    }

    private static ObjectNode without(ObjectNode value) {
        return value.deepCopy().without(List.of(TOKEN, END));
    }

    /** Half of the lifetime, at most 15 minutes. */
    private static Duration buffer(Duration life) {
        var half = life.dividedBy(2);
        return half.compareTo(RENEWED_BEFORE) < 0 ? half : RENEWED_BEFORE;
    }

    static boolean isIn(ObjectNode value) {
        return value.hasNonNull(TOKEN);
    }

    /** True while the value has a token that is not expired. */
    static boolean isAlive(ObjectNode value, Instant now) {
        return isIn(value)
                && (!value.has(END)
                        || now.isBefore(Instant.ofEpochSecond(value.path(END).asLong())));
    }
}
