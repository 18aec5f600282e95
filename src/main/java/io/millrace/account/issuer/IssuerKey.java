package io.millrace.account.issuer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.base.secret.RsaKeys;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;

/**
 * The key that signs tokens for clouds.
 *
 * @param kid thumbprint of its public half (RFC 7638)
 */
record IssuerKey(String kid, RSAPrivateCrtKey key) {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    static IssuerKey of(RSAPrivateCrtKey key) {
        var half = RsaKeys.publicHalf(key);
        // Required members of the thumbprint, in lexicographic order, without blanks.
        var members = "{\"e\":\"" + number(half.getPublicExponent()) + "\",\"kty\":\"RSA\",\"n\":\""
                + number(half.getModulus()) + "\"}";
        return new IssuerKey(ENCODER.encodeToString(Hashes.sha256(members.getBytes(StandardCharsets.US_ASCII))), key);
    }

    ObjectNode keySet() {
        RSAPublicKey half = RsaKeys.publicHalf(key);
        var set = Json.object();
        set.putArray("keys")
                .addObject()
                .put("kty", "RSA")
                .put("use", "sig")
                .put("alg", "RS256")
                .put("kid", kid)
                .put("n", number(half.getModulus()))
                .put("e", number(half.getPublicExponent()));
        return set;
    }

    /** Drops the leading sign byte. */
    private static String number(BigInteger value) {
        var bytes = value.toByteArray();
        return ENCODER.encodeToString(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    @Override
    public String toString() {
        return "IssuerKey[" + kid + "]";
    }
}
