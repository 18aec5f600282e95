package io.millrace.base.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key that signs links of one purpose (HMAC-SHA-256), derived from the server's secret. Signatures of the key that the previous
 * secret yields are accepted too (decision 0106).
 */
public final class LinkKey {
    private static final String MAC = "HmacSHA256";

    /** The signing key first. */
    private final List<SecretKeySpec> keys;

    private final int signatureBytes;

    /**
     * @param purpose separates the keys of different kinds of links
     * @param signatureBytes length of a signature; 32 at most
     */
    public LinkKey(LinkSecrets secrets, String purpose, int signatureBytes) {
        var derived = new ArrayList<SecretKeySpec>();
        derived.add(derived(secrets.current(), purpose));
        secrets.previous().ifPresent(secret -> derived.add(derived(secret, purpose)));
        this.keys = List.copyOf(derived);
        this.signatureBytes = signatureBytes;
    }

    /** Signature in URL-safe Base64 without padding. */
    public String sign(String text) {
        return signature(keys.getFirst(), text);
    }

    /** Compares in constant time with the signatures of all keys. */
    public boolean isSigned(String text, String signature) {
        var found = signature.getBytes(StandardCharsets.UTF_8);
        return keys.stream()
                .anyMatch(
                        key -> MessageDigest.isEqual(signature(key, text).getBytes(StandardCharsets.US_ASCII), found));
    }

    private String signature(SecretKeySpec key, String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(mac(key, text), signatureBytes));
    }

    private static SecretKeySpec derived(String secret, String purpose) {
        return new SecretKeySpec(mac(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), MAC), purpose), MAC);
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}
