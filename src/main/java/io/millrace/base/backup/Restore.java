package io.millrace.base.backup;

import io.millrace.base.config.Config;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Restores a backup into an empty target: a data directory without a database, or an external database without tables.
 * The whole file is verified first, and what was loaded is read back and compared; the last step, one rename or one
 * commit, makes it visible. A crash before that leaves the target empty, and the next restore removes the remains.
 */
public final class Restore {
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
                        + backup.contents().schemaVersion()
                        + ", which is newer than this release: it was written by release "
                        + backup.contents().release());
            }
            try (var place = RestorePlace.open(config.storage().data().directory())) {
                place.refuseOtherSecrets(backup.secrets());
                if (config.storage().postgres().isEmbedded()) {
                    intoDirectory(file, key, backup, place);
                } else {
                    intoDatabase(file, key, backup, place);
                }
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

    private void intoDirectory(Path file, Optional<BackupKey> key, BackupCheck backup, RestorePlace place)
            throws Exception {
        try (var staging = place.staging()) {
            var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(staging.directory())
                    .withUser(config.storage().data().accounts().database()));
            try {
                var settings = postgres.connection();
                var served = RestoreStore.servedSchema(settings);
                Migrations.build(settings, served, backup.contents().schemaVersion());
                load(file, key, backup, settings, served, served);
            } finally {
                postgres.stop();
            }
            staging.publish(backup.secrets());
        }
    }

    private void intoDatabase(Path file, Optional<BackupKey> key, BackupCheck backup, RestorePlace place)
            throws Exception {
        var settings = ExternalPostgres.settings(config.storage().postgres());
        var served = RestoreStore.servedSchema(settings);
        var schema = "millrace_restore_" + Ids.next().toLowerCase(Locale.ROOT);
        RestoreStore.prepare(settings, served, schema);
        Migrations.build(settings, schema, backup.contents().schemaVersion());
        place.keepSecrets(backup.secrets());
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
            // The server's files are put into place after the rows are verified.
        }

        @Override
        public void sums(BackupSums read) {
            // The loaded rows are compared with the sums of the verification.
        }
    }
}
