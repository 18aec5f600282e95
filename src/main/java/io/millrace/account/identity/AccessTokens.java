package io.millrace.account.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Access tokens of users, and the tokens of invitations: JWT, signed HS256 (contract admin-api 1.8).
 *
 * <p>One algorithm, one issuer, and a type that keeps the kinds apart: what differs in any of them is not ours. A library would bring a
 * choice of algorithms that must then be closed again.
 */
public final class AccessTokens {
    /** How long a token lives, a user's and that of an invitation; others name their own time. */
    public static final Duration LIFETIME = Duration.ofDays(7);

    /** How long somebody may take to name the platform that is to be made. */
    private static final Duration ENGINE_LIFETIME = Duration.ofDays(1);

    private static final Duration ONBOARDING_LIFETIME = Duration.ofDays(1);

    /** Issuer of every token. */
    public static final String ISSUER = "activepieces";

    private static final String ALGORITHM = "HS256";
    private static final String MAC = "HmacSHA256";
    private static final String INVITATION = "INVITATION";
    private static final int PARTS = 3;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final SecretKeySpec key;
    private final InstantSource clock;

    /**
     * @param secret signs the tokens; whoever knows it can be anybody
     */
    public AccessTokens(String secret, InstantSource clock) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), MAC);
        this.clock = clock;
    }

    /** What a token of ours says. */
    record Claims(String userId, String platformId, String tokenVersion) {}

    /** The token of an invitation's link, which opens nothing but that invitation. */
    public String issueInvitation(String invitationId) {
        return signed(Json.object().put("id", invitationId).put("type", INVITATION));
    }

    /** The invitation of a token that is ours and has not expired; empty for every other text. */
    public Optional<String> verifyInvitation(String token) {
        return claims(token, INVITATION).map(claims -> claims.path("id").asText());
    }

    /** A token of another module: its type keeps it from passing for any other kind. */
    public String issue(String type, ObjectNode claims, Duration lifetime) {
        return signed(claims.put("type", type), lifetime);
    }

    /** The claims of a token of that type that is ours and has not expired; empty for every other text. */
    public Optional<JsonNode> verify(String type, String token) {
        return claims(token, type);
    }

    /** A token that opens nothing but the making of a platform (contract admin-api 32.2). */
    String issueOnboarding(UserIdentity identity) {
        var claims = Json.object().put("id", identity.id());
        if (identity.tokenVersion() != null) {
            claims.put("tokenVersion", identity.tokenVersion());
        }
        return issue(Principal.Kind.ONBOARDING.name(), claims, ONBOARDING_LIFETIME);
    }

    /**
     * A token for the code of a piece that works for a project. It outlives the longest call, and not much more: the code is
     * somebody else's.
     */
    public String issueEngine(String projectId) {
        return issue(Principal.Kind.ENGINE.name(), Json.object().put("projectId", projectId), ENGINE_LIFETIME);
    }

    String issue(User user, String tokenVersion) {
        var claims = Json.object().put("id", user.id()).put("type", Principal.Kind.USER.name());
        claims.putObject("platform").put("id", user.platformId());
        if (tokenVersion != null) {
            claims.put("tokenVersion", tokenVersion);
        }
        return signed(claims);
    }

    private String signed(ObjectNode claims) {
        return signed(claims, LIFETIME);
    }

    private String signed(ObjectNode claims, Duration lifetime) {
        var now = clock.instant();
        var header = Json.object().put("alg", ALGORITHM).put("typ", "JWT").put("kid", "1");
        claims.put("iat", now.getEpochSecond())
                .put("exp", now.plus(lifetime).getEpochSecond())
                .put("iss", ISSUER);
        var signed = ENCODER.encodeToString(Json.bytes(header)) + '.' + ENCODER.encodeToString(Json.bytes(claims));
        return signed + '.' + ENCODER.encodeToString(sign(signed));
    }

    /** The claims of a token that is ours and has not expired; empty for every other text. */
    Optional<Claims> verify(String token) {
        return claims(token, Principal.Kind.USER.name())
                .map(claims -> new Claims(
                        claims.path("id").asText(),
                        claims.path("platform").path("id").asText(),
                        claims.path("tokenVersion").asText(null)));
    }

    private Optional<JsonNode> claims(String token, String type) {
        var parts = token.split("\\.", -1);
        if (parts.length != PARTS || !isSigned(parts)) {
            return Optional.empty();
        }
        var claims = decode(parts[1]);
        var expires = claims.path("exp");
        return ALGORITHM.equals(decode(parts[0]).path("alg").asText())
                        && ISSUER.equals(claims.path("iss").asText())
                        && type.equals(claims.path("type").asText())
                        && expires.isIntegralNumber()
                        && expires.longValue() > clock.instant().getEpochSecond()
                ? Optional.of(claims)
                : Optional.empty();
    }

    private boolean isSigned(String[] parts) {
        try {
            return MessageDigest.isEqual(sign(parts[0] + '.' + parts[1]), DECODER.decode(parts[2]));
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static JsonNode decode(String part) {
        try {
            return Json.parse(DECODER.decode(part));
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return MissingNode.getInstance();
        }
    }

    private byte[] sign(String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}
