package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * Token of a Bot Framework request (RFC 7515, RFC 7519). Exactly one algorithm is accepted regardless of the header;
 * otherwise the public key could be used for a forged signature. Keys embedded in the token are ignored. Pure.
 */
record BotFrameworkToken(String signed, Buffer signature, String keyId, JsonNode claims) {
    private static final String SCHEME = "Bearer ";
    private static final int LENGTH_MAX = 16 * 1024;

    private static final Duration SKEW = Duration.ofMinutes(5);

    static Optional<BotFrameworkToken> read(String authorization) {
        if (!authorization.startsWith(SCHEME) || authorization.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        var text = authorization.substring(SCHEME.length());
        var parts = text.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            var head = Json.parse(Base64.getUrlDecoder().decode(parts[0]));
            var claims = Json.parse(Base64.getUrlDecoder().decode(parts[1]));
            if (!head.path("alg").asText().equals("RS256")
                    || head.has("crit")
                    || !head.path("kid").isTextual()
                    || !claims.isObject()) {
                return Optional.empty();
            }
            return Optional.of(new BotFrameworkToken(
                    parts[0] + "." + parts[1],
                    Buffer.buffer(Base64.getUrlDecoder().decode(parts[2])),
                    head.path("kid").textValue(),
                    claims));
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    boolean isSignedWith(PublicKey key) {
        try {
            var verifier = Signature.getInstance("SHA256withRSA");
            verifier.initVerify(key);
            verifier.update(signed.getBytes(StandardCharsets.US_ASCII));
            return verifier.verify(signature.getBytes());
        } catch (GeneralSecurityException bad) {
            return false;
        }
    }

    boolean isFor(String issuer, String appId, String serviceUrl, Instant now) {
        return claims.path("iss").asText().equals(issuer)
                && !appId.isEmpty()
                && appId.equalsIgnoreCase(claims.path("aud").textValue())
                && !serviceUrl.isEmpty()
                && serviceUrl.equals(claims.path("serviceurl")
                        .asText(claims.path("serviceUrl").asText()))
                && claims.path("exp").isNumber()
                && now.minus(SKEW).isBefore(time("exp"))
                && (!claims.has("nbf")
                        || claims.path("nbf").isNumber() && !now.plus(SKEW).isBefore(time("nbf")));
    }

    private Instant time(String name) {
        return Instant.ofEpochSecond(Math.clamp(claims.path(name).asLong(), 0, 1L << 40));
    }

    @Override
    public String toString() {
        return "BotFrameworkToken[" + keyId + "]";
    }
}
