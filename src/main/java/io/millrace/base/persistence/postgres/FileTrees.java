package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;

/** Whole directory trees of the embedded server: deleted, handed over, made private. Links are never followed. */
public final class FileTrees {
    private static final int ROOT = 0;
    private static final int ATTEMPTS_MAX = 50;
    private static final long PAUSE_NANOS = 100_000_000;

    private FileTrees() {}

    public static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    public static void deleteAll(Path directory, String pattern) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            for (var entry : entries) {
                deleteWhileOthersWrite(entry);
            }
        }
    }

    /** A program whose server was killed may live for a moment longer, and still write into the tree. */
    private static void deleteWhileOthersWrite(Path root) throws IOException {
        for (var attempt = 1; ; attempt++) {
            try {
                delete(root);
                return;
            } catch (DirectoryNotEmptyException | NoSuchFileException changed) {
                if (attempt == ATTEMPTS_MAX) {
                    throw changed;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Gives a tree to another user and group; only root may. */
    static void own(Path root, int user, int group) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return visitFile(directory, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Creates a directory if needed, and sets its permissions (in the form rwxr-x---) regardless of the umask. */
    static void directory(Path directory, String permissions) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    }

    /**
     * Removes the access of other users to a directory of this process; where it is root, the users of its child processes
     * may still traverse it to their own files. A directory of another user, or one that is writable for all, is left
     * unchanged.
     */
    static void closeToOthers(Path directory) throws IOException {
        var own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        var permissions = Files.getPosixFilePermissions(directory);
        var kept = PosixFilePermissions.fromString(own == ROOT ? "rwx--x--x" : "rwx------");
        if (owner(directory) == own && !permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            permissions.retainAll(kept);
            Files.setPosixFilePermissions(directory, permissions);
        }
    }

    static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    static int owner(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }

    static int group(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:gid");
    }
}
