package io.millrace.base.backup;

import io.millrace.base.core.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/** The key that backups are encrypted with: 256 bits, kept by the operator in a file of 64 hexadecimal characters. */
public final class BackupKey {
    private static final Pattern TEXT = Pattern.compile("[0-9a-fA-F]{64}");
    private static final byte[] PURPOSE = "millrace backup".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;

    private BackupKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads a key file; refuses with {@link BackupException}, whose message never shows its content. */
    public static BackupKey read(Path file) {
        try {
            // A file that is much too large is not a key, and is not read completely.
            var text = new String(head(file), StandardCharsets.US_ASCII).strip();
            if (!TEXT.matcher(text).matches()) {
                throw new BackupException("the key file " + file
                        + ": expected 64 hexadecimal characters (openssl rand -hex 32), found other text");
            }
            return new BackupKey(HexFormat.of().parseHex(text));
        } catch (IOException unreadable) {
            throw new BackupException(
                    "the key file " + file + " cannot be read: " + IoReason.of(unreadable), unreadable);
        }
    }

    private static byte[] head(Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            return input.readNBytes(1024);
        }
    }

    /** The key of one file: unique for each file, so that the counters of all files may begin at zero. */
    SecretKey of(byte[] salt) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveKey(
                            "AES",
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(Arrays.copyOf(bytes, bytes.length))
                                    .addSalt(salt)
                                    .thenExpand(PURPOSE, bytes.length));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("HKDF-SHA256 is part of every Java", missing);
        }
    }

    @Override
    public String toString() {
        return "BackupKey[]";
    }
}
