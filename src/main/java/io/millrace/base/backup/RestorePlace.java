package io.millrace.base.backup;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.FileTrees;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A data directory as the target of a restore; locked for one restore at a time. */
final class RestorePlace implements AutoCloseable {
    private static final String STAGING = "restore-";
    private static final String LOCK = "restore.lock";

    private final Path directory;
    private final FileChannel lock;

    private RestorePlace(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    static RestorePlace open(Path directory) throws IOException {
        Files.createDirectories(directory);
        var channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new BackupException("another restore is running in " + directory);
        }
        return new RestorePlace(directory, channel);
    }

    /** Existing secrets may be needed for other data; they are never replaced. */
    void refuseOtherSecrets(Optional<byte[]> secrets) throws IOException {
        var kept = directory.resolve(BackupFile.SECRETS);
        if (Files.exists(kept) && secrets.isPresent() && !Arrays.equals(Files.readAllBytes(kept), secrets.get())) {
            throw new BackupException(
                    kept + " has other secrets than the backup: move it away, or restore into another directory");
        }
    }

    /** Called before the rows become visible: secrets without rows are harmless, rows without secrets cannot be read. */
    void keepSecrets(Optional<byte[]> secrets) throws IOException {
        var file = directory.resolve(BackupFile.SECRETS);
        if (secrets.isPresent() && !Files.exists(file)) {
            var aside = DurableFiles.aside(file, ".new");
            DurableFiles.write(aside, secrets.get());
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.force(directory);
        }
    }

    /**
     * Creates a separate data directory for a database that is not visible yet, after removing the remains of killed
     * restores.
     */
    Staging staging() throws IOException {
        if (Files.exists(directory.resolve(EmbeddedPostgres.HOME))) {
            throw new BackupException("AP_DATA_DIR: expected a directory without a database to restore into, found "
                    + directory.resolve(EmbeddedPostgres.HOME));
        }
        FileTrees.deleteAll(directory, STAGING + "*");
        return new Staging(directory.resolve(STAGING + Ids.next().toLowerCase(Locale.ROOT)));
    }

    /** Data directory of a restore in progress; removed on close. */
    final class Staging implements AutoCloseable {
        private final Path path;

        private Staging(Path path) {
            this.path = path;
        }

        Path directory() {
            return path;
        }

        /** Publishes the stopped database to servers by one rename. */
        void publish(Optional<byte[]> secrets) throws IOException {
            keepSecrets(secrets);
            Files.move(
                    path.resolve(EmbeddedPostgres.HOME),
                    RestorePlace.this.directory.resolve(EmbeddedPostgres.HOME),
                    StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.force(RestorePlace.this.directory);
        }

        @Override
        public void close() throws IOException {
            FileTrees.delete(path);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
        Files.deleteIfExists(directory.resolve(LOCK));
    }
}
