package io.millrace.base.core;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.tukaani.xz.XZInputStream;

/**
 * Library that the packaged file holds as one compressed archive, because only some processes load it (decision 0419). It is
 * unpacked on first use. An existing file of the same name and length is used again; its name holds a hash of its content.
 * Development builds have the library on the class path and no archive.
 */
public final class PackedLibrary {
    /** Directory of the archives in the packaged file. */
    private static final String FOLDER = "/libraries/";

    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    /** File name and length of the unpacked library. */
    private static final Pattern DESCRIPTION = Pattern.compile("([a-z]+-[0-9a-f]{16}\\.jar) ([0-9]{1,12})");

    private PackedLibrary() {}

    /**
     * Path of the unpacked library; empty if the class path holds no such archive.
     *
     * @param name of the library, such as {@code engine}
     * @param directory for the file, which is created if missing
     */
    public static Optional<Path> unpack(String name, Path directory) throws IOException {
        try (var description = PackedLibrary.class.getResourceAsStream(FOLDER + name + ".txt")) {
            if (description == null) {
                return Optional.empty();
            }
            var text = new String(description.readAllBytes(), StandardCharsets.US_ASCII).strip();
            var parts = DESCRIPTION.matcher(text);
            if (!parts.matches()) {
                throw new IOException("the archive of the library " + name + " has the description \"" + text
                        + "\": expected a file name and a length");
            }
            var target = directory.toAbsolutePath().resolve(parts.group(1));
            var bytes = Long.parseLong(parts.group(2));
            if (!Files.isRegularFile(target) || Files.size(target) != bytes) {
                install(name, bytes, target);
            }
            return Optional.of(target);
        }
    }

    /** Installs the file. If another process does the same, the last move wins; both files are complete. */
    private static void install(String name, long bytes, Path target) throws IOException {
        var directory = target.getParent();
        Files.createDirectories(directory);
        var part = Files.createTempFile(directory, name + "-", ".part");
        try (var archive = open(name)) {
            var written = Files.copy(archive, part, StandardCopyOption.REPLACE_EXISTING);
            if (written != bytes) {
                throw new IOException("the archive of the library " + name + " holds " + written + " bytes, expected "
                        + bytes + ": the file of this program is damaged");
            }
            Files.setPosixFilePermissions(part, READABLE);
            removeOthers(name, target);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Deletes the libraries of other releases; a process that has one open keeps it. */
    private static void removeOthers(String name, Path target) throws IOException {
        try (var others = Files.newDirectoryStream(target.getParent(), name + "-*.jar")) {
            for (var other : others) {
                if (!other.equals(target)) {
                    Files.deleteIfExists(other);
                }
            }
        }
    }

    private static InputStream open(String name) throws IOException {
        var packed = PackedLibrary.class.getResourceAsStream(FOLDER + name + ".jar.xz");
        if (packed == null) {
            throw new NoSuchFileException(FOLDER + name + ".jar.xz");
        }
        return new XZInputStream(new BufferedInputStream(packed));
    }
}
