package io.millrace.base.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.FileTrees;
import io.millrace.base.persistence.postgres.PostgresStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Point-in-time restore: PostgreSQL replays the write-ahead log on the last base copy before the given time. The target
 * is a data directory without a database; a rename makes the database visible after its verification. An earlier crash
 * leaves the target empty.
 */
public final class PointInTimeRestore {
    /** Below the directory of the database: PostgreSQL's own user must be able to read it. */
    private static final String SEGMENTS = "millrace_segments";

    /** PostgreSQL parses this value before it loads time zone names, so even {@code Z} is unknown. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS'+00'").withZone(ZoneOffset.UTC);

    private static final Duration REPLAY_MAX = Duration.ofHours(24);

    public record RestoreResult(Path base, int segments, Instant lastChange, int tables, long rows) {
        public ObjectNode toJson() {
            return Json.object()
                    .put("base", base.toString())
                    .put("segments", segments)
                    .put("lastChange", lastChange.toString())
                    .put("tables", tables)
                    .put("rows", rows);
        }
    }

    private final Config config;

    public PointInTimeRestore(Config config) {
        this.config = config;
    }

    /**
     * Restores into the data directory of the settings. Blocks.
     *
     * @param folder of the backups
     * @param at empty for the end of the log
     */
    public RestoreResult from(Path folder, Optional<Instant> at, Optional<BackupKey> key) {
        if (!config.storage().postgres().isEmbedded()) {
            throw new BadSetting("--at: expected an embedded database to restore into, found an external one");
        }
        try {
            var base = baseFor(folder, at);
            try (var place = RestorePlace.open(config.storage().data().directory());
                    var staging = place.staging()) {
                return into(place, staging, base, at, key);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the database cannot be restored: " + failure.getMessage(), failure);
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception ofDatabase) {
            throw new BackupException("the restored database cannot be read: " + ofDatabase.getMessage(), ofDatabase);
        }
    }

    private static LogArchive.Base baseFor(Path folder, Optional<Instant> at) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new BackupException("expected the folder of the backups, found none at " + folder);
        }
        var bases = LogArchive.bases(folder);
        if (bases.isEmpty()) {
            throw new BackupException(
                    folder + " has no base copy for the log: only a server with AP_BACKUP_WAL=true creates them");
        }
        return bases.stream()
                .filter(base -> at.filter(base.moment()::isAfter).isEmpty())
                .max(Comparator.comparing(LogArchive.Base::moment))
                .orElseThrow(() -> new BackupException("the first moment that can be restored is "
                        + bases.getFirst().moment() + ", and " + at.orElseThrow() + " was requested"));
    }

    private RestoreResult into(
            RestorePlace place,
            RestorePlace.Staging staging,
            LogArchive.Base base,
            Optional<Instant> at,
            Optional<BackupKey> key)
            throws Exception {
        var data = EmbeddedPostgres.directoryIn(staging.directory());
        // The user of PostgreSQL needs to traverse the parent directories.
        Files.createDirectories(data.getParent());
        Files.createDirectory(data, DurableFiles.OWNER_ONLY_FOLDER);
        BaseFile.unpack(base.file(), key, data, staging.directory());
        var secrets = staging.directory().resolve(BackupFile.SECRETS);
        var kept = Files.exists(secrets) ? Optional.of(Files.readAllBytes(secrets)) : Optional.<byte[]>empty();
        place.refuseOtherSecrets(kept);
        var segments = LogArchive.segmentsFrom(base);
        if (at.isEmpty() && LogArchive.hasMoreThan(segments, base)) {
            throw new BackupException("the log has a gap after "
                    + (segments.isEmpty() ? base.file() : segments.getLast()) + ": choose an earlier moment with --at");
        }
        Files.createDirectory(data.resolve(SEGMENTS), DurableFiles.OWNER_ONLY_FOLDER);
        for (var segment : segments) {
            BaseFile.unpackSegment(segment, key, data.resolve(SEGMENTS));
        }
        Files.createFile(data.resolve("recovery.signal"));
        var restored = replayed(staging.directory(), base, segments.size(), at);
        FileTrees.delete(data.resolve(SEGMENTS));
        staging.publish(kept);
        return restored;
    }

    private RestoreResult replayed(Path directory, LogArchive.Base base, int segments, Optional<Instant> at)
            throws Exception {
        var postgres = started(directory, at);
        try {
            return looked(postgres.connection(), base, segments);
        } finally {
            postgres.stop();
        }
    }

    private EmbeddedPostgres started(Path directory, Optional<Instant> at) {
        var options = new ArrayList<>(List.of(
                "wal_level=replica",
                "hot_standby=off",
                "restore_command=cp " + SEGMENTS + "/%f %p",
                "recovery_target_timeline=current",
                "recovery_target_action=promote"));
        at.ifPresent(moment -> options.add("recovery_target_time=" + TIME.format(moment)));
        try {
            return EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory)
                    .withUser(config.storage().data().accounts().database())
                    .withStartPatience(REPLAY_MAX)
                    .withOptions(options));
        } catch (PostgresStartException refused) {
            throw new BackupException("the log does not reach that moment: " + refused.getMessage(), refused);
        }
    }

    private static RestoreResult looked(DatabaseSettings settings, LogArchive.Base base, int segments)
            throws Exception {
        try (var store = ReplayedStore.open(settings)) {
            var version = store.schemaVersion();
            if (!Migrations.knows(version)) {
                throw new BackupException("the database has schema version " + version
                        + " at that moment, which is newer than this release");
            }
            var rows = 0L;
            var tables = store.tables();
            for (var table : tables) {
                rows += store.rows(table);
            }
            return new RestoreResult(base.file(), segments, store.lastChange(), tables.size(), rows);
        }
    }
}
