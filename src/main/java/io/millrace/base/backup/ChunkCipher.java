package io.millrace.base.backup;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-256-GCM of a stream in chunks, each with its number and a mark on the last one: a changed, moved, omitted or truncated
 * chunk is detected.
 */
final class ChunkCipher {
    /** First bytes of an encrypted file; the salt of its key follows. */
    static final byte[] MAGIC = "MILLRACE-GCM-01\n".getBytes(StandardCharsets.US_ASCII);

    static final int SALT_BYTES = 32;
    static final int CHUNK_BYTES = 64 * 1024;
    static final int TAG_BYTES = 16;

    private static final int NONCE_BYTES = 12;

    private final SecretKey key;
    private long number;

    ChunkCipher(SecretKey key) {
        this.key = key;
    }

    byte[] seal(byte[] chunk, int length, boolean isLast) {
        try {
            return next(Cipher.ENCRYPT_MODE, isLast).doFinal(chunk, 0, length);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every Java", impossible);
        }
    }

    byte[] open(byte[] sealed, boolean isLast) {
        try {
            return next(Cipher.DECRYPT_MODE, isLast).doFinal(sealed);
        } catch (AEADBadTagException wrong) {
            throw new BackupException(
                    "the backup cannot be decrypted: it was encrypted with another key, or is damaged", wrong);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("AES-GCM is part of every Java", impossible);
        }
    }

    private Cipher next(int mode, boolean isLast) throws GeneralSecurityException {
        var nonce = ByteBuffer.allocate(NONCE_BYTES)
                .putLong(number++)
                .putInt(isLast ? 1 : 0)
                .array();
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        return cipher;
    }
}
