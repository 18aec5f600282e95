package io.millrace.base.backup;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.postgres.DataDirectoryInUseException;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Takes a backup: a snapshot of the database, which may be in use, and the secrets in the data directory of the server. The
 * file gets its final name when it is complete, on disk and verified; a crash before that leaves a file that ends in
 * {@code .part}.
 */
public final class Backup {
    private static final String PART = ".part";

    private final Config config;
    private final String release;
    private final InstantSource clock;

    public Backup(Config config, String release, InstantSource clock) {
        this.config = config;
        this.release = release;
        this.clock = clock;
    }

    /**
     * Takes a backup. Blocks.
     *
     * @param file to make; an existing one is refused
     * @param key to encrypt with
     */
    public BackupSummary to(Path file, Optional<BackupKey> key) {
        if (Files.exists(file)) {
            throw new BackupException(file + " already exists: choose another name");
        }
        if (!config.storage().postgres().isEmbedded()) {
            return to(file, key, ExternalPostgres.settings(config.storage().postgres()));
        }
        var directory = config.storage().data().directory();
        if (!EmbeddedPostgres.isIn(directory)) {
            throw new BadSetting("AP_DATA_DIR: expected a directory with a database, found " + directory);
        }
        try {
            return ofStopped(file, key);
        } catch (DataDirectoryInUseException running) {
            return to(file, key, EmbeddedPostgres.running(directory));
        }
    }

    /** Starts the database for the backup, since no server runs it. */
    private BackupSummary ofStopped(Path file, Optional<BackupKey> key) {
        var postgres = EmbeddedPostgres.start(
                EmbeddedPostgres.Settings.of(config.storage().data()));
        try {
            return to(file, key, postgres.connection());
        } finally {
            postgres.stop();
        }
    }

    /** Backs up a running database, embedded or external. Blocks. */
    BackupSummary to(Path file, Optional<BackupKey> key, DatabaseSettings settings) {
        try {
            var aside = DurableFiles.aside(file, PART);
            try {
                write(aside, key, settings);
                DurableFiles.force(aside);
                BackupCheck.of(aside, key);
                named(aside, file);
            } finally {
                Files.deleteIfExists(aside);
            }
            return BackupCheck.of(file, key).summary(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "the backup " + file + " cannot be written: " + failure.getMessage(), failure);
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception ofDatabase) {
            throw new BackupException("the database cannot be read: " + ofDatabase.getMessage(), ofDatabase);
        }
    }

    /** A link fails where a file is; a move would replace it. */
    private static void named(Path aside, Path file) throws IOException {
        try {
            Files.createLink(file, aside);
        } catch (FileAlreadyExistsException meanwhile) {
            throw new BackupException(file + " was created meanwhile: choose another name", meanwhile);
        } catch (UnsupportedOperationException | FileSystemException withoutLinks) {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        }
        DurableFiles.force(file.toAbsolutePath().getParent());
    }

    private void write(Path aside, Optional<BackupKey> key, DatabaseSettings settings) throws Exception {
        try (var snapshot = SnapshotStore.open(settings);
                var archive = BackupFile.writer(Files.newOutputStream(aside), key)) {
            var contents = snapshot.contents(release, clock.instant());
            var sums = BackupSums.none();
            part(archive, BackupFile.CONTENTS, Json.bytes(contents.toJson()));
            var progress = new BackupProgress(snapshot.sizes(contents.tables()), System::nanoTime);
            for (var table : contents.tables()) {
                archive.putNextEntry(new ZipEntry(BackupFile.TABLES + table.name()));
                sums.tables().put(table.name(), snapshot.copyOut(table, progress.table(table.name(), archive)));
                archive.closeEntry();
            }
            // Read after the snapshot of the rows: all keys that existed then still exist.
            var secrets = config.storage().data().directory().resolve(BackupFile.SECRETS);
            if (Files.exists(secrets)) {
                var bytes = Files.readAllBytes(secrets);
                sums.files().put(BackupFile.SECRETS, BackupFile.digest(bytes));
                part(archive, BackupFile.FILES + BackupFile.SECRETS, bytes);
            }
            part(archive, BackupFile.SUMS, Json.bytes(sums.toJson()));
        }
    }

    private static void part(ZipOutputStream archive, String name, byte[] bytes) throws IOException {
        archive.putNextEntry(new ZipEntry(name));
        archive.write(bytes);
        archive.closeEntry();
    }

    /** Verifies a backup; refuses an incomplete one. Blocks. */
    public static BackupSummary check(Path file, Optional<BackupKey> key) {
        try {
            return BackupCheck.of(file, key).summary(file);
        } catch (IOException failure) {
            throw new BackupException(file + " cannot be read: " + failure, failure);
        }
    }
}
