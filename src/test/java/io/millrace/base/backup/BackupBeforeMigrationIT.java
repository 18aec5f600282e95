package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.MigrationIndex;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that finds the schema of an older release takes a backup before it migrates. */
final class BackupBeforeMigrationIT {
    private static final List<String> VERSIONS = MigrationIndex.read("db").versions();
    private static final String OLDER = VERSIONS.get(VERSIONS.size() - 2);

    @TempDir
    Path files;

    private final Vertx vertx = TestPostgres.vertx();
    private DatabaseSettings settings;
    private Database database;

    @BeforeEach
    void buildAnOlderSchema() {
        settings = TestPostgres.emptyDatabase();
        Migrations.build(settings, "public", OLDER);
        database = Database.open(vertx, settings);
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    private Future<Migrations.Outcome> start(Map<String, String> more) {
        var given = new HashMap<>(more);
        given.put("AP_DATA_DIR", files.resolve("data").toString());
        given.putIfAbsent("AP_BACKUP_TARGET", files.resolve("kept").toString());
        var config = Config.load(given, files.resolve("no-such-file"));
        var backup = new BackupBeforeMigration(config, "0.0.0", new MovableClock());
        return Migrations.of(vertx).apply(database, settings, backup::take);
    }

    private List<Path> kept(String folder) {
        if (!Files.exists(files.resolve(folder))) {
            return List.of();
        }
        try (var found = Files.list(files.resolve(folder))) {
            return found.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void takesOneOfTheOlderSchema_andOneAloneWhenNodesStartTogether() {
        // When
        var outcomes = Waiting.await(Future.all(start(Map.of()), start(Map.of())));

        // Then
        assertThat(outcomes.<Migrations.Outcome>list().stream()
                        .mapToInt(Migrations.Outcome::applied)
                        .sum())
                .isEqualTo(1);
        assertThat(kept("kept")).hasSize(1);
        assertThat(Backup.check(kept("kept").getFirst(), Optional.empty()).schemaVersion())
                .isEqualTo(OLDER);
        assertThat(kept("kept").getFirst().getFileName().toString())
                .satisfies(name -> assertThat(BackupNames.isBackup(name)).isTrue());

        // When it starts again
        Waiting.await(start(Map.of()));

        // Then
        assertThat(kept("kept")).hasSize(1);
    }

    @Test
    void migratesNothing_whenTheBackupFails() {
        var withoutKey =
                Map.of("AP_BACKUP_KEY_FILE", files.resolve("no-such-key").toString());

        assertThatThrownBy(() -> Waiting.await(start(withoutKey)))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining("AP_BACKUP_BEFORE_MIGRATION: the schema was not migrated");

        assertThat(Waiting.await(Migrations.of(vertx).areApplied(database))).isFalse();
        assertThat(kept("kept")).isEmpty();
    }

    @Test
    void takesNone_whenToldSo_andOneInTheDataDirectoryWhereTheTargetIsABucket() {
        Waiting.await(start(Map.of("AP_BACKUP_BEFORE_MIGRATION", "false")));
        assertThat(kept("kept")).isEmpty();

        Waiting.await(
                database.inTransaction(tx -> tx.query("delete from flyway_schema_history where version <> '0001'")));
        assertThatThrownBy(() -> Waiting.await(start(Map.of("AP_BACKUP_TARGET", "s3://mill-backups/nightly"))))
                .hasMessageContaining("already exists");
        assertThat(kept("data/backups")).hasSize(1);
    }
}
