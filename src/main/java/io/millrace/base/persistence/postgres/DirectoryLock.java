package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Exclusive lock of this process on a data directory. The kernel drops the lock when the process ends in any way, so that a
 * lock is never stale; its holder may treat a PostgreSQL found there as orphaned.
 */
final class DirectoryLock {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final String claim;
    private final FileChannel channel;

    private DirectoryLock(String claim, FileChannel channel) {
        this.claim = claim;
        this.channel = channel;
    }

    /**
     * Takes the lock; fails when another process holds it.
     *
     * @param home directory of the lock file
     * @param named name of the directory for the operator
     */
    static DirectoryLock take(Path home, Path named) throws IOException {
        var claim = DirectoryLock.class.getName() + ":" + home;
        /*
         * Closing any second channel on a locked file drops the POSIX lock of the whole process. A second start inside
         * one process must therefore be refused before the file is opened; system properties are the one register that
         * all parts of a process share.
         */
        if (System.getProperties().putIfAbsent(claim, "taken") != null) {
            throw refusal(named);
        }
        FileChannel channel = null;
        FileLock lock = null;
        try {
            // A process that may read a file may lock it, and so keep this server from starting.
            channel = FileChannel.open(
                    home.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OWNER_ONLY);
            Files.setPosixFilePermissions(home.resolve("lock"), OWNER_ONLY.value());
            lock = channel.tryLock();
        } finally {
            if (lock == null) {
                release(claim, channel);
            }
        }
        if (lock == null) {
            throw refusal(named);
        }
        return new DirectoryLock(claim, channel);
    }

    /** Releases the lock. */
    void release() throws IOException {
        release(claim, channel);
    }

    private static void release(String claim, FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            System.getProperties().remove(claim);
        }
    }

    private static PostgresStartException refusal(Path named) {
        return new DataDirectoryInUseException("another server uses the data directory " + named
                + ": stop it first, or set AP_DATA_DIR to a directory of this server's own");
    }
}
