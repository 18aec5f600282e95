package io.millrace.base.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts values that must be readable again: AES-256-GCM in an envelope (contract admin-api 1.14).
 *
 * <p>Each value has a separate key, which the server's encryption key seals:
 * {@code format (2) | key id (4) | IV (12) | sealed key of the value (48) | IV (12) | ciphertext and tag}. The caller's
 * context is authenticated: a value that was copied to another row or altered in one bit does not open. A change of the
 * encryption key rewrites only the first part of a value, which needs neither its context nor its text. Thread-safe.
 */
public final class SecretBox {
    public static final Pattern KEY = Pattern.compile("[0-9a-fA-F]{32}");

    private static final byte FORMAT = 2;
    private static final byte[] VALUE_FORMAT = {FORMAT};
    private static final int KEY_ID_BYTES = 4;
    private static final int KEY_BYTES = 32;
    private static final int IV_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int HEAD_BYTES = 1 + KEY_ID_BYTES;
    private static final int WRAP_BYTES = HEAD_BYTES + IV_BYTES + KEY_BYTES + TAG_BYTES;
    private static final byte[] NOTHING = {};

    /** Position, counted from 1, of the {@link #content} of a sealed value. */
    public static final int CONTENT_FROM = WRAP_BYTES + 1;

    private final SecureRandom random = new SecureRandom();
    private volatile Keys keys;

    /** The encryption keys by their ids; values are sealed with the current one only. */
    private record Keys(String current, Map<String, SecretKeySpec> byId) {
        Keys {
            byId = Map.copyOf(byId);
        }
    }

    public SecretBox(String keyText) {
        this(keyText, List.of());
    }

    /**
     * A box that seals with one key and opens values of further keys.
     *
     * @param keyText 32 hexadecimal characters; their 32 bytes are the key, the text is not decoded
     * @param known further keys
     */
    public SecretBox(String keyText, List<String> known) {
        var byId = new HashMap<String, SecretKeySpec>();
        known.forEach(text -> byId.put(idOf(text), keyOf(text)));
        byId.put(idOf(keyText), keyOf(keyText));
        this.keys = new Keys(idOf(keyText), byId);
    }

    private static SecretKeySpec keyOf(String text) {
        if (!KEY.matcher(text).matches()) {
            throw new IllegalArgumentException("expected an encryption key of 32 hexadecimal characters");
        }
        return new SecretKeySpec(text.getBytes(StandardCharsets.US_ASCII), "AES");
    }

    private static String idOf(String text) {
        return Hashes.sha256Hex("millrace key id " + text).substring(0, 2 * KEY_ID_BYTES);
    }

    public String keyId() {
        return keys.current();
    }

    public boolean knows(String keyId) {
        return keys.byId().containsKey(keyId);
    }

    /** From now on values are sealed with another key; those sealed before still open. */
    public void use(String keyText) {
        var byId = new HashMap<>(keys.byId());
        byId.put(idOf(keyText), keyOf(keyText));
        keys = new Keys(idOf(keyText), byId);
    }

    /**
     * Seals a value.
     *
     * @param context identity of the value's row, for example {@code app_connection:<id>}; needed again to open it
     */
    public byte[] seal(byte[] plain, String context) {
        var key = random(KEY_BYTES);
        var iv = random(IV_BYTES);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), iv, VALUE_FORMAT, context(context))
                    .doFinal(plain);
            return ByteBuffer.allocate(WRAP_BYTES + IV_BYTES + sealed.length)
                    .put(wrap(key))
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
     * @throws UnreadableSecretException when no known key sealed it for this context, or it was altered since
     */
    public byte[] open(byte[] sealed, String context) {
        var key = new SecretKeySpec(unwrap(sealed), "AES");
        var iv = Arrays.copyOfRange(sealed, WRAP_BYTES, WRAP_BYTES + IV_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, iv, VALUE_FORMAT, context(context))
                    .doFinal(sealed, WRAP_BYTES + IV_BYTES, sealed.length - WRAP_BYTES - IV_BYTES);
        } catch (AEADBadTagException altered) {
            throw new UnreadableSecretException("a sealed value was altered or moved");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every JDK", impossible);
        }
    }

    /**
     * Part of a sealed value that {@link #rewrap} leaves unchanged: equal contents mean the same value, also after a rotation of
     * the key. Each call of {@link #seal} yields another content.
     */
    public static byte[] content(byte[] sealed) {
        return Arrays.copyOfRange(sealed, WRAP_BYTES, sealed.length);
    }

    public byte[] rewrap(byte[] sealed) {
        return ByteBuffer.allocate(sealed.length)
                .put(wrap(unwrap(sealed)))
                .put(sealed, WRAP_BYTES, sealed.length - WRAP_BYTES)
                .array();
    }

    public String sealText(String plain, String context) {
        return Base64.getEncoder().encodeToString(seal(plain.getBytes(StandardCharsets.UTF_8), context));
    }

    public String openText(String sealed, String context) {
        try {
            return new String(open(Base64.getDecoder().decode(sealed), context), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw new UnreadableSecretException("a sealed value was altered: it is not Base64");
        }
    }

    /** The first part of a sealed value: format, key id, and the value's own key. */
    private byte[] wrap(byte[] key) {
        var now = keys;
        var head = ByteBuffer.allocate(HEAD_BYTES)
                .put(FORMAT)
                .put(HexFormat.of().parseHex(now.current()))
                .array();
        var iv = random(IV_BYTES);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, now.byId().get(now.current()), iv, head, NOTHING)
                    .doFinal(key);
            return ByteBuffer.allocate(WRAP_BYTES).put(head).put(iv).put(sealed).array();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every JDK", impossible);
        }
    }

    private byte[] unwrap(byte[] sealed) {
        if (sealed.length < WRAP_BYTES + IV_BYTES + TAG_BYTES || sealed[0] != FORMAT) {
            throw new UnreadableSecretException("expected a sealed value of format " + FORMAT);
        }
        var key = keys.byId().get(HexFormat.of().formatHex(sealed, 1, HEAD_BYTES));
        if (key == null) {
            throw new UnreadableSecretException("a value was encrypted with another key than AP_ENCRYPTION_KEY:"
                    + " add that key to AP_KNOWN_ENCRYPTION_KEYS");
        }
        var iv = Arrays.copyOfRange(sealed, HEAD_BYTES, HEAD_BYTES + IV_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, iv, Arrays.copyOf(sealed, HEAD_BYTES), NOTHING)
                    .doFinal(sealed, HEAD_BYTES + IV_BYTES, KEY_BYTES + TAG_BYTES);
        } catch (AEADBadTagException altered) {
            throw new UnreadableSecretException("a sealed value was altered");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every JDK", impossible);
        }
    }

    private byte[] random(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] context(String context) {
        return context.getBytes(StandardCharsets.UTF_8);
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] iv, byte[] head, byte[] context)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, iv));
        cipher.updateAAD(head);
        cipher.updateAAD(context);
        return cipher;
    }
}
