package io.millrace.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals what must be readable again: AES-256-GCM with a fresh IV per value (contract admin-api 1.14).
 *
 * <p>A sealed value is {@code format (1) | key id (4) | IV (12) | ciphertext and tag}. Format, key id and the caller's
 * context are authenticated: a value that was copied to another row or altered in one bit does not open. Thread-safe.
 */
public final class SecretBox {
    /** What an encryption key looks like. */
    public static final Pattern KEY = Pattern.compile("[0-9a-fA-F]{32}");

    private static final byte FORMAT = 1;
    private static final int KEY_ID_BYTES = 4;
    private static final int IV_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int HEAD_BYTES = 1 + KEY_ID_BYTES;

    private final SecretKeySpec key;
    private final byte[] keyId;
    private final SecureRandom random = new SecureRandom();

    /**
     * A box for one key.
     *
     * @param keyText 32 hexadecimal characters; their 32 bytes are the key, the text is not decoded
     */
    public SecretBox(String keyText) {
        if (!KEY.matcher(keyText).matches()) {
            throw new IllegalArgumentException("expected an encryption key of 32 hexadecimal characters");
        }
        this.key = new SecretKeySpec(keyText.getBytes(StandardCharsets.US_ASCII), "AES");
        this.keyId = Arrays.copyOf(
                Hashes.sha256(("millrace key id " + keyText).getBytes(StandardCharsets.US_ASCII)), KEY_ID_BYTES);
    }

    /**
     * Seals a value.
     *
     * @param context where the value belongs, for example {@code app_connection:<id>}; needed again to open it
     */
    public byte[] seal(byte[] plain, String context) {
        var iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, iv, head(), context).doFinal(plain);
            return ByteBuffer.allocate(HEAD_BYTES + IV_BYTES + sealed.length)
                    .put(head())
                    .put(iv)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every JDK", impossible);
        }
    }

    /**
     * Opens a sealed value.
     *
     * @throws UnreadableSecretException when it was not sealed by this key for this context, or was altered since
     */
    public byte[] open(byte[] sealed, String context) {
        checkHead(sealed);
        var iv = Arrays.copyOfRange(sealed, HEAD_BYTES, HEAD_BYTES + IV_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, iv, head(), context)
                    .doFinal(sealed, HEAD_BYTES + IV_BYTES, sealed.length - HEAD_BYTES - IV_BYTES);
        } catch (AEADBadTagException altered) {
            throw new UnreadableSecretException("a sealed value was altered or belongs to another place");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every JDK", impossible);
        }
    }

    /** Seals a text; the sealed form is Base64. */
    public String sealText(String plain, String context) {
        return Base64.getEncoder().encodeToString(seal(plain.getBytes(StandardCharsets.UTF_8), context));
    }

    /** Opens what {@link #sealText} made. */
    public String openText(String sealed, String context) {
        try {
            return new String(open(Base64.getDecoder().decode(sealed), context), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw new UnreadableSecretException("a sealed value was altered: it is not Base64");
        }
    }

    private void checkHead(byte[] sealed) {
        if (sealed.length < HEAD_BYTES + IV_BYTES + TAG_BYTES || sealed[0] != FORMAT) {
            throw new UnreadableSecretException("expected a sealed value of format " + FORMAT);
        }
        if (!Arrays.equals(sealed, 1, HEAD_BYTES, keyId, 0, KEY_ID_BYTES)) {
            throw new UnreadableSecretException(
                    "a value was sealed with another encryption key: AP_ENCRYPTION_KEY must stay what it was");
        }
    }

    private byte[] head() {
        return ByteBuffer.allocate(HEAD_BYTES).put(FORMAT).put(keyId).array();
    }

    private Cipher cipher(int mode, byte[] iv, byte[] head, String context) throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, iv));
        cipher.updateAAD(head);
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
