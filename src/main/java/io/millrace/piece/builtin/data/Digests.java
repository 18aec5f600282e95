package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.action.TextEncoding;
import io.millrace.piece.property.Property;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Hashes of texts, with a key and without (contract pieces 14.3). */
final class Digests {
    private static final Property HASH = Props.choice(
                    "Method", true, "MD5", "md5", "SHA256", "sha256", "SHA512", "sha512", "SHA3-512", "sha3-512")
            .describedAs("How to hash.");

    private static final Map<String, String> HASHES =
            Map.of("md5", "MD5", "sha256", "SHA-256", "sha512", "SHA-512", "sha3-512", "SHA3-512");

    private static final Property SIGNATURE = Props.choice(
                    "Method", true, "MD5", "md5", "SHA256", "sha256", "SHA512", "sha512")
            .describedAs("How to hash.");

    private static final Map<String, String> SIGNATURES =
            Map.of("md5", "HmacMD5", "sha256", "HmacSHA256", "sha512", "HmacSHA512");

    private static final Property KEY_ENCODING = Props.choice(
                    "Secret key encoding", true, "UTF-8", "utf-8", "Hex", "hex", "Base64", "base64")
            .describedAs("Encoding of the key.");

    private static final Property OUTPUT_ENCODING = Props.choice(
                    "Output Encoding", false, "Hex", "hex", "Base64", "base64")
            .describedAs("Encoding of the signature.")
            .defaultingTo(TextNode.valueOf("hex"));

    private Digests() {}

    static ComputedAction hash() {
        var props = Props.of(
                Props.named("method", HASH),
                Props.named("text", Props.shortText("Text", true).describedAs("The text to hash.")));
        return ComputedAction.linear(
                ComputedAction.pure("hash-text", "Text to Hash", "Hashes a text.", props), Digests::hash);
    }

    private static JsonNode hash(ObjectNode input) {
        var method = HASHES.get(Props.chosen(input, "method", HASH, ""));
        try {
            var digest = MessageDigest.getInstance(method).digest(text(input));
            return TextNode.valueOf(TextEncoding.HEX.text(digest));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + method, impossible);
        }
    }

    static ComputedAction signature() {
        var props = Props.of(
                Props.named("secretKey", Props.shortText("Secret key", true).describedAs("The key to sign with.")),
                Props.named("secretKeyEncoding", KEY_ENCODING),
                Props.named("method", SIGNATURE),
                Props.named("text", Props.shortText("Text", true).describedAs("The text to sign.")),
                Props.named("outputEncoding", OUTPUT_ENCODING));
        return ComputedAction.linear(
                ComputedAction.pure("hmac-signature", "Generate HMAC Signature", "Signs a text with a key.", props),
                Digests::signature);
    }

    private static JsonNode signature(ObjectNode input) {
        var method = SIGNATURES.get(Props.chosen(input, "method", SIGNATURE, ""));
        var encoding = Props.chosen(input, "secretKeyEncoding", KEY_ENCODING, "utf-8");
        var output = Props.chosen(input, "outputEncoding", OUTPUT_ENCODING, "hex");
        var key = TextEncoding.named("secretKeyEncoding", encoding)
                .bytes("secretKey", input.path("secretKey").asText());
        if (key.length == 0) {
            throw PieceFailure.of("secretKey: expected a key, found none");
        }
        try {
            var mac = Mac.getInstance(method);
            mac.init(new SecretKeySpec(key, method));
            return TextNode.valueOf(TextEncoding.named("outputEncoding", output).text(mac.doFinal(text(input))));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + method, impossible);
        }
    }

    private static byte[] text(ObjectNode input) {
        return input.path("text").asText().getBytes(StandardCharsets.UTF_8);
    }
}
