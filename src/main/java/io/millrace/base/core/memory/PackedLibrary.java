package io.millrace.base.core.memory;

import java.io.BufferedInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.tukaani.xz.XZInputStream;

/**
 * Library that the packaged file holds as one compressed archive, because only some processes load it (decision 0419). It is
 * unpacked on first use, or ahead of it by a background thread. An existing file of the same name and length is used again; its name
 * holds a hash of its content. Development builds have the library on the class path and no archive.
 */
public final class PackedLibrary {
    private static final String FOLDER = "/libraries/";

    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    /** File name and length of the unpacked library. */
    private static final Pattern DESCRIPTION = Pattern.compile("([a-z]+-[0-9a-f]{16}\\.jar) ([0-9]{1,12})");

    private static final int PART_BYTES = 256 * 1024;

    /** Age of an incomplete file, by its last write, after which its process must have been killed. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    /** Held while this process unpacks: a second thread waits for the first one instead of doing the same. */
    private static final ReentrantLock UNPACKING = new ReentrantLock();

    private PackedLibrary() {}

    /**
     * Path of the unpacked library; empty if the class path holds no such archive. Blocks while the library is unpacked.
     *
     * @param name of the library, such as {@code engine}
     * @param directory for the file, which is created if missing
     */
    public static Optional<Path> unpack(String name, Path directory) throws IOException {
        return unpack(name, directory, false);
    }

    /**
     * As {@link #unpack(String, Path)}, before the library is needed: leaves half of a processor to others until another thread waits
     * for the library. Fails with {@link InterruptedIOException} when the thread is interrupted; then no file is left behind.
     */
    public static Optional<Path> unpackAhead(String name, Path directory) throws IOException {
        return unpack(name, directory, true);
    }

    private static Optional<Path> unpack(String name, Path directory, boolean isAhead) throws IOException {
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
            if (!isComplete(target, bytes)) {
                UNPACKING.lock();
                try {
                    if (!isComplete(target, bytes)) {
                        install(name, bytes, target, isAhead);
                    }
                } finally {
                    UNPACKING.unlock();
                }
            }
            return Optional.of(target);
        }
    }

    private static boolean isComplete(Path target, long bytes) throws IOException {
        return Files.isRegularFile(target) && Files.size(target) == bytes;
    }

    /** Installs the file. If another process does the same, the last move wins; both files are complete. */
    private static void install(String name, long bytes, Path target, boolean isAhead) throws IOException {
        var directory = target.getParent();
        Files.createDirectories(directory);
        var part = Files.createTempFile(directory, name + "-", ".part");
        try {
            removeAbandoned(name, part);
            var written = copy(name, part, isAhead);
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

    /** Writes the unpacked library to the disk: after a loss of power, a file of full length has its content. */
    private static long copy(String name, Path part, boolean isAhead) throws IOException {
        try (var archive = open(name);
                var out = new FileOutputStream(part.toFile())) {
            var buffer = new byte[PART_BYTES];
            var written = 0L;
            var begunNanos = System.nanoTime();
            for (var count = archive.read(buffer); count >= 0; count = archive.read(buffer)) {
                out.write(buffer, 0, count);
                written += count;
                if (isAhead) {
                    yieldFor(System.nanoTime() - begunNanos, name);
                    begunNanos = System.nanoTime();
                }
            }
            out.getFD().sync();
            return written;
        }
    }

    private static void yieldFor(long nanos, String name) throws InterruptedIOException {
        if (!UNPACKING.hasQueuedThreads()) {
            LockSupport.parkNanos(nanos);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("the library " + name + " was not unpacked to its end");
        }
    }

    /** Deletes incomplete files of processes that were killed, by the clock of the file system. */
    private static void removeAbandoned(String name, Path own) throws IOException {
        var oldest = Files.getLastModifiedTime(own).toInstant().minus(ABANDONED);
        try (var parts = Files.newDirectoryStream(own.getParent(), name + "-*.part")) {
            for (var part : parts) {
                if (isOlder(part, oldest)) {
                    Files.deleteIfExists(part);
                }
            }
        }
    }

    private static boolean isOlder(Path part, Instant oldest) throws IOException {
        try {
            return Files.getLastModifiedTime(part).toInstant().isBefore(oldest);
        } catch (NoSuchFileException installed) {
            // Another process has moved its file to its place.
            return false;
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
