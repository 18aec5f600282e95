package io.millrace.base.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A key of JSON web tokens, and its only algorithm (RFC 7519; RFC 8725, 3.1).
 *
 * <p>The library signs and checks. It accepts some texts that are not valid tokens of RFC 7515, so they are refused before it
 * is called (decision 0135). The caller checks issuer, audience and expiry, by the server's own clock.
 */
public final class JwtKey {
    /** Maximum length of an accepted text, in characters. */
    static final int LENGTH_MAX = 16 * 1024;

    static final String RS256 = "RS256";
    private static final String HS256 = "HS256";
    private static final List<String> TIMES = List.of("exp", "iat", "nbf");
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** Without time and issuer: the library would check both against its own clock. */
    private static final JWTOptions SIGNATURE_ONLY = new JWTOptions().setIgnoreExpiration(true);

    private final String algorithm;
    private final int signatureBytes;
    private final JWTAuth auth;

    private JwtKey(String algorithm, int signatureBytes, PubSecKeyOptions key) {
        this.algorithm = algorithm;
        this.signatureBytes = signatureBytes;
        // The first argument is for key stores in files, which are not used.
        this.auth = JWTAuth.create(
                null, new JWTAuthOptions().setJWTOptions(SIGNATURE_ONLY).addPubSecKey(key.setAlgorithm(algorithm)));
    }

    public static JwtKey hs256(String kid, String secret) {
        return new JwtKey(HS256, 32, new PubSecKeyOptions().setId(kid).setBuffer(secret));
    }

    /** A public key that verifies regardless of the key id of a token. */
    public static JwtKey rs256(PublicKey key) {
        var bits = ((RSAPublicKey) key).getModulus().bitLength();
        return new JwtKey(
                RS256, Math.ceilDiv(bits, 8), new PubSecKeyOptions().setBuffer(pem("PUBLIC KEY", key.getEncoded())));
    }

    public static JwtKey rs256(String kid, PrivateKey key) {
        return new JwtKey(RS256, 0, new PubSecKeyOptions().setId(kid).setBuffer(pem("PRIVATE KEY", key.getEncoded())));
    }

    private static Buffer pem(String label, byte[] content) {
        return Buffer.buffer(
                "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n");
    }

    public String sign(ObjectNode claims) {
        var options = new JWTOptions().setAlgorithm(algorithm).setNoTimestamp(true);
        return auth.generateToken(new JsonObject(Json.text(claims)), options);
    }

    /** The claims of a token that this key signed; empty for every other text. */
    public Optional<ObjectNode> verify(String token) {
        return parse(algorithm, token)
                .filter(parsed -> parsed.signatureBytes() == signatureBytes && isSigned(token))
                .map(Compact::claims);
    }

    /** The library completes at once, and throws at claims of an unexpected type. */
    private boolean isSigned(String token) {
        return Future.succeededFuture(new TokenCredentials(token))
                .compose(auth::authenticate)
                .succeeded();
    }

    /** A token in its compact form, whose signature is not checked yet. */
    record Compact(ObjectNode header, ObjectNode claims, int signatureBytes) {}

    /**
     * Exactly three parts without padding, this algorithm, and no extension (RFC 7515, 2 and 4.1.11); times are numbers (RFC
     * 7519, 2).
     */
    static Optional<Compact> parse(String algorithm, String token) {
        if (token.length() > LENGTH_MAX || token.indexOf('=') >= 0) {
            return Optional.empty();
        }
        var parts = token.split("\\.", 4);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            return Json.parse(DECODER.decode(parts[0])) instanceof ObjectNode header
                            && Json.parse(DECODER.decode(parts[1])) instanceof ObjectNode claims
                            && algorithm.equals(header.path("alg").textValue())
                            && !header.has("crit")
                            && TIMES.stream().allMatch(name -> claims.path(name).isNumber() || !claims.has(name))
                    ? Optional.of(new Compact(header, claims, DECODER.decode(parts[2]).length))
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
