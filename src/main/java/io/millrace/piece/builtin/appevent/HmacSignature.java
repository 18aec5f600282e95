package io.millrace.piece.builtin.appevent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keyed digest in a header (RFC 2104), compared in constant time. A request without the header, or without the raw body
 * text, counts as unsigned. Pure.
 *
 * @param algorithm of the JDK
 * @param header in lower case
 * @param prefix text before the digest
 */
record HmacSignature(String algorithm, String header, String prefix, Function<byte[], String> encoding) {
    static final Function<byte[], String> HEX = HexFormat.of()::formatHex;
    static final Function<byte[], String> BASE64 = Base64.getEncoder()::encodeToString;

    /**
     * Returns whether the request carries a valid signature of a text.
     *
     * @param signed derives the signed text from the body text
     */
    boolean isOn(ObjectNode payload, JsonNode secret, Function<String, String> signed) {
        var body = payload.path("rawBody");
        var given = header(payload, header);
        if (!body.isTextual() || given.isEmpty() || secret == null || !secret.isTextual()) {
            return false;
        }
        var expected = prefix + encoding.apply(digest(secret.textValue(), signed.apply(body.textValue())));
        return MessageDigest.isEqual(
                given.get().getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    static Optional<String> header(ObjectNode payload, String name) {
        return Optional.ofNullable(payload.path("headers").path(name).textValue());
    }

    private byte[] digest(String secret, String text) {
        if (secret.isEmpty()) {
            throw new IllegalStateException("expected a secret of at least one character");
        }
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
