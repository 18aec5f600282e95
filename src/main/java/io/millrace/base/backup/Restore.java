package io.millrace.base.backup;

import io.millrace.base.config.Config;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.DatabaseSettings;
import io.millrace.base.persistence.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.persistence.postgres.FileTrees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Puts a backup into an empty place: a data directory without a database, or an external database without tables. The whole
 * file is looked through first, and what was loaded is read back and compared; what makes it visible comes last, and is one rename or
 * one commit. A crash at any moment before leaves the place empty, and the next restore tidies up.
 */
public final class Restore {
    private static final String STAGING = "restore-";
    private static final String LOCK = "restore.lock";
    private static final String POSTGRES = "postgres";

    private final Config config;

    public Restore(Config config) {
        this.config = config;
    }

    /** Restores a backup to the place that the settings name. Blocks. */
    public BackupSummary from(Path file, Optional<BackupKey> key) {
        try {
            var backup = BackupCheck.of(file, key);
            if (!Migrations.knows(backup.contents().schemaVersion())) {
                throw new BackupException("the backup has schema version "
                        + backup.contents().schemaVersion() + ", which this release does not know: it is of release "
                        + backup.contents().release());
            }
            var directory = config.data().directory();
            Files.createDirectories(directory);
            try (var channel = FileChannel.open(
                            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.tryLock()) {
                if (lock == null) {
                    throw new BackupException("another restore works in " + directory);
                }
                refuseOtherSecrets(backup, directory);
                if (config.postgres().isEmbedded()) {
                    intoDirectory(file, key, backup, directory);
                } else {
                    intoDatabase(file, key, backup, directory);
                }
            } finally {
                Files.deleteIfExists(directory.resolve(LOCK));
            }
            return backup.summary(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("the backup cannot be restored: " + failure.getMessage(), failure);
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception ofDatabase) {
            throw new BackupException("the backup cannot be loaded: " + ofDatabase.getMessage(), ofDatabase);
        }
    }

    /** Secrets that are there may be needed for something else; they are never replaced. */
    private static void refuseOtherSecrets(BackupCheck backup, Path directory) throws IOException {
        var kept = directory.resolve(BackupFile.SECRETS);
        if (Files.exists(kept)
                && backup.secrets().isPresent()
                && !Arrays.equals(Files.readAllBytes(kept), backup.secrets().get())) {
            throw new BackupException(kept + " has other secrets than the backup: move it away, or restore elsewhere");
        }
    }

    private void intoDirectory(Path file, Optional<BackupKey> key, BackupCheck backup, Path directory)
            throws Exception {
        var home = directory.resolve(POSTGRES);
        if (Files.exists(home)) {
            throw new BackupException(
                    "AP_DATA_DIR: expected a directory without a database to restore into, found " + home);
        }
        FileTrees.deleteAll(directory, STAGING + "*");
        var staging = directory.resolve(STAGING + Ids.next().toLowerCase(Locale.ROOT));
        try {
            var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(staging)
                    .withUser(config.data().accounts().database()));
            try {
                var settings = postgres.connection();
                var served = RestoreStore.servedSchema(settings);
                Migrations.build(settings, served, backup.contents().schemaVersion());
                load(file, key, backup, settings, served, served);
            } finally {
                postgres.stop();
            }
            keepSecrets(backup, directory);
            Files.move(staging.resolve(POSTGRES), home, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.force(directory);
        } finally {
            FileTrees.delete(staging);
        }
    }

    private void intoDatabase(Path file, Optional<BackupKey> key, BackupCheck backup, Path directory) throws Exception {
        var settings = ExternalPostgres.settings(config.postgres());
        var served = RestoreStore.servedSchema(settings);
        var schema = "millrace_restore_" + Ids.next().toLowerCase(Locale.ROOT);
        RestoreStore.prepare(settings, served, schema);
        Migrations.build(settings, schema, backup.contents().schemaVersion());
        keepSecrets(backup, directory);
        load(file, key, backup, settings, schema, served);
    }

    private static void load(
            Path file,
            Optional<BackupKey> key,
            BackupCheck backup,
            DatabaseSettings settings,
            String schema,
            String served)
            throws Exception {
        try (var store = RestoreStore.open(settings, schema)) {
            BackupFile.read(file, key, new Loading(store, backup.contents()));
            store.finish(backup.contents());
            store.check(backup.contents(), backup.sums().tables());
            store.publish(served);
        }
    }

    /** Puts the parts of a file that was looked through where they belong. */
    private record Loading(RestoreStore store, BackupContents contents) implements BackupFile.Parts {
        @Override
        public void contents(BackupContents read) throws Exception {
            store.begin(contents);
        }

        @Override
        public void table(String name, InputStream rows) throws Exception {
            store.copyIn(contents.table(name), rows);
        }

        @Override
        public void file(String name, byte[] bytes) {
            // The server's files are put into place when the rows are right.
        }

        @Override
        public void sums(BackupSums read) {
            // What was loaded is compared with those of the first look.
        }
    }

    /** Comes before the rows are seen: secrets without rows harm nobody, rows without secrets cannot be read. */
    private static void keepSecrets(BackupCheck backup, Path directory) throws IOException {
        var file = directory.resolve(BackupFile.SECRETS);
        if (backup.secrets().isPresent() && !Files.exists(file)) {
            var aside = DurableFiles.aside(file, ".new");
            DurableFiles.write(aside, backup.secrets().get());
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.force(directory);
        }
    }
}
