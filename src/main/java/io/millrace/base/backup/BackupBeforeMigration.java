package io.millrace.base.backup;

import io.millrace.base.config.BackupSettings;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.connection.DatabaseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a backup of a database that is about to be migrated: migrations go forward only, and the release before does not
 * start on a migrated schema. Its name and its retention are those of scheduled backups.
 */
public final class BackupBeforeMigration {
    private static final Logger LOG = LoggerFactory.getLogger(BackupBeforeMigration.class);

    private final Config config;
    private final String release;
    private final InstantSource clock;

    /** @param release of the server that is going to migrate */
    public BackupBeforeMigration(Config config, String release, InstantSource clock) {
        this.config = config;
        this.release = release;
        this.clock = clock;
    }

    /** Takes one, unless it is switched off. Blocks. A failure stops the start: no migration runs without the backup. */
    public void take(DatabaseSettings database) {
        config.storage().data().migrationBackup().ifPresent(settings -> take(database, settings));
    }

    private void take(DatabaseSettings database, BackupSettings.MigrationBackup settings) {
        var file = settings.folder().resolve(BackupNames.nameAt(clock.instant()));
        LOG.info("the schema is older than this release: taking a backup before the migration");
        try {
            Files.createDirectories(settings.folder(), DurableFiles.OWNER_ONLY_FOLDER);
            var made = new Backup(config, release, clock)
                    .to(file, settings.keyFile().map(BackupKey::read), database);
            LOG.info(
                    "backup {} before the migration: {} rows, {} bytes",
                    file,
                    made.counts().rows(),
                    made.counts().bytes());
        } catch (IOException | UncheckedIOException | BackupException failure) {
            throw new BadSetting(
                    "AP_BACKUP_BEFORE_MIGRATION: the schema was not migrated because the backup before the migration failed: "
                            + failure.getMessage() + "; fix the cause, or set it to false");
        }
    }
}
