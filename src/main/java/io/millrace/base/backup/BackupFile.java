package io.millrace.base.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A backup as a file: a zip archive, encrypted as a whole or not, with the contents first, then a file for each table in
 * PostgreSQL's text format, then the server's own files, and the sums of all of them last.
 */
final class BackupFile {
    static final String CONTENTS = "contents.json";
    static final String SUMS = "sums.json";
    static final String TABLES = "tables/";
    static final String FILES = "files/";
    static final String SECRETS = "server-secrets.json";

    /** Largest entry that is not a table; such entries are read into memory. */
    private static final int FILE_BYTES_MAX = 16 << 20;

    private BackupFile() {}

    /** Closing it closes the stream below. */
    static ZipOutputStream writer(OutputStream file, Optional<BackupKey> key) throws IOException {
        var buffered = new BufferedOutputStream(file, ChunkCipher.CHUNK_BYTES);
        return new ZipOutputStream(key.isPresent() ? new EncryptedOutput(buffered, key.get()) : buffered);
    }

    static boolean isEncrypted(Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            return Arrays.equals(input.readNBytes(ChunkCipher.MAGIC.length), ChunkCipher.MAGIC);
        }
    }

    interface Parts {
        /** The first part of an archive. */
        void contents(BackupContents contents) throws Exception;

        void table(String name, InputStream rows) throws Exception;

        void file(String name, byte[] bytes) throws Exception;

        /** The last part of an archive. */
        void sums(BackupSums sums) throws Exception;
    }

    /** Refuses an incomplete archive. */
    static void read(Path file, Optional<BackupKey> key, Parts parts) throws Exception {
        try (var input = opened(file, key);
                var archive = new ZipInputStream(input)) {
            var last = "";
            for (var entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                if (last.isEmpty() != entry.getName().equals(CONTENTS)) {
                    throw new BackupException(file + " is not a backup: it does not begin with " + CONTENTS);
                }
                last = entry.getName();
                part(archive, last, parts);
            }
            if (!last.equals(SUMS)) {
                throw new BackupException(file + " is not a backup, or its end is missing");
            }
            // The last chunk of an encrypted file, after the end of the archive, proves that it is complete.
            input.transferTo(OutputStream.nullOutputStream());
        } catch (ZipException | EOFException damaged) {
            throw new BackupException(file + " is damaged: " + damaged.getMessage(), damaged);
        }
    }

    /** The bytes of an archive, opened where it is encrypted. */
    static InputStream opened(Path file, Optional<BackupKey> key) throws IOException {
        var encrypted = isEncrypted(file);
        if (encrypted && key.isEmpty()) {
            throw new BackupException(file + " is encrypted: pass its key with --key-file");
        }
        if (!encrypted && key.isPresent()) {
            throw new BackupException(file + " is not encrypted: omit --key-file");
        }
        var input = new BufferedInputStream(Files.newInputStream(file), ChunkCipher.CHUNK_BYTES);
        if (!encrypted) {
            return input;
        }
        input.skipNBytes(ChunkCipher.MAGIC.length);
        return new EncryptedInput(input, key.orElseThrow());
    }

    private static void part(InputStream bytes, String name, Parts parts) throws Exception {
        if (name.startsWith(TABLES)) {
            parts.table(name.substring(TABLES.length()), bytes);
        } else if (name.startsWith(FILES)) {
            parts.file(name.substring(FILES.length()), small(bytes, name));
        } else if (name.equals(CONTENTS)) {
            parts.contents(BackupContents.read(json(bytes, name)));
        } else if (name.equals(SUMS)) {
            parts.sums(BackupSums.read(json(bytes, name)));
        } else {
            throw new BackupException("the backup has a part of an unknown kind: " + name);
        }
    }

    private static JsonNode json(InputStream bytes, String name) throws IOException {
        try {
            return Json.parse(small(bytes, name));
        } catch (JsonProcessingException malformed) {
            throw new BackupException("the backup is damaged: " + name + " is not JSON");
        }
    }

    private static byte[] small(InputStream bytes, String name) throws IOException {
        var read = bytes.readNBytes(FILE_BYTES_MAX + 1);
        if (read.length > FILE_BYTES_MAX) {
            throw new BackupException(
                    "the backup is damaged: " + name + " is larger than " + FILE_BYTES_MAX + " bytes");
        }
        return read;
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("SHA-256 is part of every Java", missing);
        }
    }
}
