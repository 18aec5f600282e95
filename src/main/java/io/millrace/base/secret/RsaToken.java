package io.millrace.base.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Optional;

/**
 * A JSON web token signed RS256, and by nothing else: a header that names another algorithm, none, or an extension makes
 * it no such token.
 *
 * @param kid names the key that signs
 * @param claims not to be believed before {@link #isSignedBy}
 * @param signed the text that is signed: what the token says, whatever its signature looks like
 */
public record RsaToken(String kid, ObjectNode claims, String signed, Buffer signature) {
    private static final String ALGORITHM = "RS256";
    private static final String SIGNATURE = "SHA256withRSA";
    private static final int LENGTH_MAX = 16 * 1024;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    /** Reads a token that names its key; empty for every other text. */
    public static Optional<RsaToken> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        var parts = text.split("\\.", 4);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            if (Json.parse(DECODER.decode(parts[0])) instanceof ObjectNode header
                    && Json.parse(DECODER.decode(parts[1])) instanceof ObjectNode claims
                    && ALGORITHM.equals(header.path("alg").textValue())
                    && header.path("kid").isTextual()
                    && !header.has("crit")) {
                var signature = Buffer.buffer(DECODER.decode(parts[2]));
                return Optional.of(
                        new RsaToken(header.get("kid").textValue(), claims, parts[0] + "." + parts[1], signature));
            }
            return Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Whether this key signed it. */
    public boolean isSignedBy(PublicKey key) {
        try {
            var check = Signature.getInstance(SIGNATURE);
            check.initVerify(key);
            check.update(signed.getBytes(StandardCharsets.US_ASCII));
            return check.verify(signature.getBytes());
        } catch (GeneralSecurityException unfit) {
            // A signature of another length than the key's is a failure of its own.
            return false;
        }
    }

    /** The text of a token that says this. */
    public static String issue(String kid, PrivateKey key, ObjectNode claims) {
        var header = Json.object().put("alg", ALGORITHM).put("typ", "JWT").put("kid", kid);
        var signed = ENCODER.encodeToString(Json.bytes(header)) + '.' + ENCODER.encodeToString(Json.bytes(claims));
        try {
            var signature = Signature.getInstance(SIGNATURE);
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + '.' + ENCODER.encodeToString(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK signs with RSA", impossible);
        }
    }

    /** Says nothing: whoever has the text of a token can use it. */
    @Override
    public String toString() {
        return "RsaToken[" + kid + "]";
    }
}
