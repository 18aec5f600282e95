package io.millrace.app.cli;

import io.millrace.base.backup.BackupNames;
import io.millrace.base.config.BackupPlace;
import io.millrace.base.config.BackupSettings;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.MigrationIndex;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.DataDirectoryInUseException;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.persistence.postgres.PostgresStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Preview of the first start of this release on the database of an older one: pending migrations and their requirements. */
final class UpgradeExamination {
    private static final long MEGABYTE = 1 << 20;

    /** Disk space for the writes of migrations and their write-ahead log. */
    private static final long ROOM_MB_BESIDE = 256;

    private static final Duration BACKUP_AGE_MAX = Duration.ofDays(1);

    private static final List<String> READ_ONLY = List.of("default_transaction_read_only=on");

    private final Config config;
    private final InstantSource clock;

    UpgradeExamination(Config config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    List<Finding> findings() {
        if (!config.storage().postgres().isEmbedded()) {
            return asked(ExternalPostgres.settings(config.storage().postgres()));
        }
        var directory = config.storage().data().directory();
        if (!EmbeddedPostgres.isIn(directory)) {
            return List.of(
                    Finding.ok("database", "there is none yet in " + directory + ": the first start creates it"));
        }
        try {
            return stopped();
        } catch (DataDirectoryInUseException running) {
            return asked(EmbeddedPostgres.running(directory));
        } catch (PostgresStartException refused) {
            return List.of(Finding.problem(
                    "database", refused.getMessage(), "this release would not start either: fix that first"));
        }
    }

    private List<Finding> stopped() {
        var postgres = EmbeddedPostgres.start(
                EmbeddedPostgres.Settings.of(config.storage().data()).withOptions(READ_ONLY));
        try {
            return asked(postgres.connection());
        } finally {
            postgres.stop();
        }
    }

    private List<Finding> asked(DatabaseSettings settings) {
        var findings = new ArrayList<Finding>();
        try (var store = DoctorStore.open(settings)) {
            var applied = store.appliedVersions();
            var pending = MigrationIndex.pending(applied);
            schema(applied, pending, findings);
            if (!applied.isEmpty()) {
                room(store, !pending.isEmpty(), findings);
                backup(!pending.isEmpty(), findings);
                nodes(store, findings);
                findings.add(Finding.ok("runs", store.runsUnderWay() + " are running and resume after the start"));
            }
        } catch (ApiException away) {
            findings.add(silent(away));
        } catch (RuntimeException defect) {
            throw defect;
        } catch (Exception refused) {
            findings.add(silent(refused));
        }
        return findings;
    }

    private static Finding silent(Exception cause) {
        return Finding.problem(
                "database",
                "it does not respond: " + cause.getMessage(),
                "check the database, the network and AP_POSTGRES_*");
    }

    private static void schema(
            List<String> applied, List<MigrationIndex.MigrationEntry> pending, List<Finding> findings) {
        var known = Migrations.newest();
        if (applied.isEmpty()) {
            findings.add(Finding.ok("schema", "none yet: the first start of the server creates it"));
        } else if (applied.getLast().compareTo(known) > 0) {
            findings.add(Finding.problem(
                    "schema",
                    applied.getLast() + ", this release knows " + known,
                    "it does not start: run the release that wrote it, or a newer one"));
        } else if (pending.isEmpty()) {
            findings.add(Finding.ok("schema", known + ": the start migrates nothing"));
        } else {
            findings.add(Finding.warning(
                    "schema",
                    applied.getLast() + ", and the start runs " + pending.size() + " migrations up to " + known,
                    "older releases cannot start afterwards; the only way back is a backup"));
            pending.forEach(one -> findings.add(Finding.ok("migration", one.version() + " " + one.purpose())));
        }
    }

    /**
     * Checks the disk space. A backup is compressed and therefore smaller than the tables; the ratio depends on their
     * content.
     */
    private void room(DoctorStore store, boolean migrates, List<Finding> findings) throws Exception {
        var tables = store.tableBytes() / MEGABYTE;
        var folder = config.storage().data().migrationBackup().map(BackupSettings.MigrationBackup::folder);
        if (!migrates || folder.isEmpty()) {
            findings.add(Finding.ok("disk", "the tables take " + tables + " MB"));
            return;
        }
        var needed = tables + ROOM_MB_BESIDE;
        var left = Files.getFileStore(existing(folder.get())).getUsableSpace() / MEGABYTE;
        var found = "the tables take " + tables + " MB, the backup before the migration takes up to that, and " + left
                + " MB are left for " + folder.get();
        findings.add(
                left >= needed
                        ? Finding.ok("disk", found)
                        : Finding.problem("disk", found, "free " + needed + " MB of disk, or use another folder"));
    }

    private static Path existing(Path folder) {
        var found = folder;
        while (!Files.exists(found) && found.getParent() != null) {
            found = found.getParent();
        }
        return found;
    }

    private void backup(boolean migrates, List<Finding> findings) throws IOException {
        var newest = newest();
        var found = newest.map(moment -> "the newest was taken at " + moment).orElse("no earlier one was found");
        var taken = config.storage().data().migrationBackup();
        if (migrates && taken.isPresent()) {
            findings.add(Finding.ok(
                    "backup", "the start writes one into " + taken.get().folder() + " before it migrates; " + found));
            return;
        }
        var isFresh = newest.filter(moment -> moment.isAfter(clock.instant().minus(BACKUP_AGE_MAX)))
                .isPresent();
        findings.add(
                isFresh || !migrates
                        ? Finding.ok("backup", found)
                        : Finding.warning("backup", found, "take one: millrace backup --to FILE"));
    }

    /** Time of the newest backup in the folder; a bucket is not examined. */
    private Optional<Instant> newest() throws IOException {
        var folder = config.storage()
                .data()
                .backups()
                .filter(settings -> settings.place() instanceof BackupPlace.LocalFolder)
                .map(settings -> ((BackupPlace.LocalFolder) settings.place()).path())
                .or(() -> config.storage().data().migrationBackup().map(BackupSettings.MigrationBackup::folder))
                .filter(Files::isDirectory);
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        try (var files = Files.list(folder.get())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(BackupNames::isBackup)
                    .map(BackupNames::momentOf)
                    .max(Instant::compareTo);
        }
    }

    private void nodes(DoctorStore store, List<Finding> findings) throws Exception {
        var known = Migrations.newest();
        var older = store.nodesBySchema();
        older.remove(known);
        if (older.isEmpty()) {
            findings.add(Finding.ok("nodes", "no server of another release uses the database"));
        }
        older.forEach((schema, count) -> findings.add(Finding.warning(
                "nodes",
                count + (count == 1 ? " server of schema " : " servers of schema ") + schema
                        + (count == 1 ? " runs" : " run") + " on the database",
                config.storage().postgres().isEmbedded()
                        ? "stop it before the new file starts: an embedded database has one server"
                        : "replace them one at a time: the schema of a release is compatible with nodes"
                                + " of the release before it")));
    }
}
