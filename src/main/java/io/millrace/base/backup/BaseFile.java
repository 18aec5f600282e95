package io.millrace.base.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** Reads a {@link BaseCopy}, and segments of the log. Refuses damaged files; each part of an archive has a separate checksum. */
final class BaseFile {
    private static final int BLOCK = 8192;

    private BaseFile() {}

    private interface Parts {
        void part(String name, InputStream bytes) throws IOException;
    }

    /** Refuses an incomplete file. */
    static void check(Path file, Optional<BackupKey> key) throws IOException {
        var isWhole = new boolean[1];
        read(file, key, (name, bytes) -> {
            bytes.transferTo(OutputStream.nullOutputStream());
            isWhole[0] |= name.equals(BaseCopy.DATA + BaseCopy.LABEL);
        });
        if (!isWhole[0]) {
            throw new BackupException("the copy " + file + " is damaged: its end is missing");
        }
    }

    static void unpack(Path file, Optional<BackupKey> key, Path data, Path own) throws IOException {
        read(file, key, (name, bytes) -> {
            if (name.startsWith(BaseCopy.DATA)) {
                place(data, name.substring(BaseCopy.DATA.length()), bytes);
            } else if (name.startsWith(BaseCopy.OWN)) {
                place(own, name.substring(BaseCopy.OWN.length()), bytes);
            } else if (name.equals(BaseCopy.CONTENTS)) {
                refuseOther(file, bytes);
            }
        });
    }

    private static void refuseOther(Path file, InputStream bytes) throws IOException {
        try {
            var format = Json.parse(bytes.readNBytes(BLOCK)).path("format").asText();
            if (!format.equals(BaseCopy.FORMAT)) {
                throw new BackupException(
                        file + ": expected a copy of the format " + BaseCopy.FORMAT + ", found " + format);
            }
        } catch (JsonProcessingException malformed) {
            throw new BackupException("the copy " + file + " is damaged: its first part is not JSON", malformed);
        }
    }

    /** Rejects names that lead out of the root: the file is untrusted input. */
    private static void place(Path root, String name, InputStream bytes) throws IOException {
        var target = root.resolve(name).normalize();
        if (!target.startsWith(root)) {
            throw new BackupException("the copy is damaged: it has a part named " + name);
        }
        if (name.endsWith("/")) {
            Files.createDirectories(target, DurableFiles.OWNER_ONLY_FOLDER);
            return;
        }
        Files.createDirectories(target.getParent(), DurableFiles.OWNER_ONLY_FOLDER);
        Files.createFile(target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        writeSparsely(target, bytes);
    }

    static void unpackSegment(Path file, Optional<BackupKey> key, Path directory) throws IOException {
        read(file, key, (_, bytes) -> place(directory, LogArchive.segmentOf(file), bytes));
    }

    /**
     * A segment that was finished before it was full consists mostly of zeros, which holes in the file store without
     * disk space.
     */
    private static void writeSparsely(Path target, InputStream bytes) throws IOException {
        var zeros = new byte[BLOCK];
        try (var channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
            long size = 0;
            for (var block = bytes.readNBytes(BLOCK); block.length > 0; block = bytes.readNBytes(BLOCK)) {
                if (!Arrays.equals(block, 0, block.length, zeros, 0, block.length)) {
                    var left = ByteBuffer.wrap(block);
                    while (left.hasRemaining()) {
                        channel.write(left, size + left.position());
                    }
                }
                size += block.length;
            }
            if (channel.size() < size) {
                channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
            }
        }
    }

    private static void read(Path file, Optional<BackupKey> key, Parts parts) throws IOException {
        try (var input = BackupFile.opened(file, key);
                var archive = new ZipInputStream(input)) {
            for (var entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                parts.part(entry.getName(), archive);
            }
            // The last chunk of an encrypted file, after the end of the archive, proves that it is complete.
            input.transferTo(OutputStream.nullOutputStream());
        } catch (ZipException | EOFException damaged) {
            throw new BackupException(file + " is damaged: " + damaged.getMessage(), damaged);
        }
    }
}
