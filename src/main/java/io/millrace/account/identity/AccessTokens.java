package io.millrace.account.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.secret.JwtKey;
import io.millrace.base.secret.LinkSecrets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Access tokens of users, and the tokens of invitations: JWT, signed HS256 (contract admin-api 1.8).
 *
 * <p>A token with another algorithm, issuer or type is refused; the type separates the kinds of tokens.
 */
public final class AccessTokens {
    /** Lifetime of a user's token and of an invitation's; other tokens have their own. */
    public static final Duration LIFETIME = Duration.ofDays(7);

    private static final Duration ENGINE_LIFETIME = Duration.ofDays(1);

    private static final Duration ONBOARDING_LIFETIME = Duration.ofDays(1);

    public static final String ISSUER = "activepieces";

    private static final String INVITATION = "INVITATION";

    private final JwtKey key;
    private final Optional<JwtKey> previousKey;
    private final InstantSource clock;

    /** @param secret signs the tokens; its holder can act as any user */
    public AccessTokens(String secret, InstantSource clock) {
        this(LinkSecrets.of(secret), clock);
    }

    /** @param secrets the previous one verifies invitations only, no session (decision 0106) */
    public AccessTokens(LinkSecrets secrets, InstantSource clock) {
        this.key = JwtKey.hs256("1", secrets.current());
        this.previousKey = secrets.previous().map(secret -> JwtKey.hs256("1", secret));
        this.clock = clock;
    }

    record Claims(String userId, String platformId, String tokenVersion) {}

    /** The token of an invitation's link, valid for that invitation only. */
    public String issueInvitation(String invitationId) {
        return signed(Json.object().put("id", invitationId).put("type", INVITATION));
    }

    public record InvitationToken(String invitationId, boolean isExpired) {}

    /** The content of an invitation's token of this server, expired or not; empty for every other text. */
    public Optional<InvitationToken> readInvitation(String token) {
        return signedClaims(key, token, INVITATION)
                .or(() -> previousKey.flatMap(previous -> signedClaims(previous, token, INVITATION)))
                .map(claims -> new InvitationToken(claims.path("id").asText(), !isLive(claims)));
    }

    /** The invitation id of a valid token of this server; empty for every other text. */
    public Optional<String> verifyInvitation(String token) {
        return readInvitation(token).filter(read -> !read.isExpired()).map(InvitationToken::invitationId);
    }

    /** A token of another module: its type prevents its use as any other kind. */
    public String issue(String type, ObjectNode claims, Duration lifetime) {
        return signed(claims.put("type", type), lifetime);
    }

    /** The claims of a valid token of this server and of that type; empty for every other text. */
    public Optional<JsonNode> verify(String type, String token) {
        return claims(token, type);
    }

    /** A token valid only for the creation of a platform (contract admin-api 32.2). */
    String issueOnboarding(UserIdentity identity) {
        var claims = Json.object().put("id", identity.id());
        if (identity.tokenVersion() != null) {
            claims.put("tokenVersion", identity.tokenVersion());
        }
        return issue(Principal.Kind.ONBOARDING.name(), claims, ONBOARDING_LIFETIME);
    }

    /**
     * A token for the code of a piece that works for a project. Its lifetime is only slightly longer than the longest call,
     * because the code is not trusted.
     */
    public String issueEngine(String projectId) {
        return issue(Principal.Kind.ENGINE.name(), Json.object().put("projectId", projectId), ENGINE_LIFETIME);
    }

    String issue(User user, String tokenVersion) {
        return signed(claimsOf(user, tokenVersion));
    }

    private static ObjectNode claimsOf(User user, String tokenVersion) {
        var claims = Json.object().put("id", user.id()).put("type", Principal.Kind.USER.name());
        claims.putObject("platform").put("id", user.platformId());
        if (tokenVersion != null) {
            claims.put("tokenVersion", tokenVersion);
        }
        return claims;
    }

    /** A user's token that expires at a time given by an identity provider, if that is earlier than usual. */
    String issue(User user, String tokenVersion, Instant endMax) {
        var left = Duration.between(clock.instant(), endMax);
        return signed(claimsOf(user, tokenVersion), left.compareTo(LIFETIME) < 0 ? left : LIFETIME);
    }

    private String signed(ObjectNode claims) {
        return signed(claims, LIFETIME);
    }

    private String signed(ObjectNode claims, Duration lifetime) {
        var now = clock.instant();
        return key.sign(claims.put("iat", now.getEpochSecond())
                .put("exp", now.plus(lifetime).getEpochSecond())
                .put("iss", ISSUER));
    }

    Optional<Claims> verify(String token) {
        return claims(token, Principal.Kind.USER.name())
                .map(claims -> new Claims(
                        claims.path("id").asText(),
                        claims.path("platform").path("id").asText(),
                        claims.path("tokenVersion").asText(null)));
    }

    private Optional<JsonNode> claims(String token, String type) {
        return signedClaims(key, token, type).filter(this::isLive);
    }

    /** Claims of a token of this server, expired or not. */
    private static Optional<JsonNode> signedClaims(JwtKey by, String token, String type) {
        return by.verify(token)
                .filter(claims -> ISSUER.equals(claims.path("iss").asText())
                        && type.equals(claims.path("type").asText())
                        && claims.path("exp").isIntegralNumber())
                .map(claims -> claims);
    }

    private boolean isLive(JsonNode claims) {
        return claims.path("exp").longValue() > clock.instant().getEpochSecond();
    }
}
