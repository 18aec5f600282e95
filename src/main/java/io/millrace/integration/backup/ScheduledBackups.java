package io.millrace.integration.backup;

import io.millrace.base.backup.Backup;
import io.millrace.base.backup.BackupKey;
import io.millrace.base.backup.BackupNames;
import io.millrace.base.backup.BackupSummary;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.config.BackupSettings;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes due backups, stores them at the target and deletes expired ones. A failure is logged and counted in the metrics;
 * earlier backups are kept.
 */
public final class ScheduledBackups extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledBackups.class);

    /** Polling interval. One long timer would be wrong after a clock change or the suspension of the machine. */
    private static final long LOOK_MS = 1_000;

    /** Age from which a claim belongs to an earlier time: nodes find the same time due within seconds of each other. */
    private static final Duration CLAIMED_FOR = Duration.ofSeconds(50);

    private static final long CLAIM_DEADLINE_MS = 10_000;
    private static final Duration LONGEST = Duration.ofHours(24);

    private final Bus bus;
    private final BackupSettings settings;
    private final Backup backup;
    private final BackupTarget target;
    private final BackupMeters meters;
    private final InstantSource clock;
    private WorkerExecutor thread;
    private Instant due;
    private boolean isAtWork;

    public ScheduledBackups(
            Bus bus,
            BackupSettings settings,
            Backup backup,
            BackupTarget target,
            BackupMeters meters,
            InstantSource clock) {
        this.bus = bus;
        this.settings = settings;
        this.backup = backup;
        this.target = target;
        this.meters = meters;
        this.clock = clock;
    }

    /** A target that is unavailable now may be available when a backup is due. */
    @Override
    public Future<?> start() {
        thread = WorkerThreads.open(vertx, "backup", 1, LONGEST);
        due = BackupTimes.next(settings.times(), clock.instant());
        vertx.setPeriodic(LOOK_MS, _ -> look());
        target.names()
                .onSuccess(names -> names.stream()
                        .filter(BackupNames::isBackup)
                        .map(BackupNames::momentOf)
                        .forEach(meters::found))
                .onFailure(failure -> LOG.warn("cannot list the existing backups: {}", failure.getMessage()));
        return Future.succeededFuture();
    }

    private void look() {
        if (isAtWork || clock.instant().isBefore(due)) {
            return;
        }
        isAtWork = true;
        due = BackupTimes.next(settings.times(), clock.instant());
        bus.ask(new Cluster.ClaimRound("backup", CLAIMED_FOR), CLAIM_DEADLINE_MS)
                .otherwise(true)
                .compose(isMine -> isMine ? take() : Future.succeededFuture())
                .onComplete(_ -> isAtWork = false);
    }

    /** Always succeeds. */
    private Future<Void> take() {
        var moment = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var file = target.folder().resolve(BackupNames.nameAt(moment));
        return thread.executeBlocking(() -> written(file), false)
                .compose(summary -> target.keep(file).map(summary))
                .onSuccess(summary -> {
                    meters.done(moment);
                    LOG.info(
                            "backup {}: {} rows, {} bytes",
                            BackupNames.nameAt(moment),
                            summary.counts().rows(),
                            summary.counts().bytes());
                })
                .onFailure(failure -> {
                    meters.failed();
                    LOG.error("backup {} failed: {}", BackupNames.nameAt(moment), failure.getMessage());
                })
                .compose(_ -> dropSurplus())
                .otherwiseEmpty();
    }

    private BackupSummary written(Path file) throws IOException {
        Files.createDirectories(
                target.folder(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        dropAbandoned();
        return backup.to(file, settings.keyFile().map(BackupKey::read));
    }

    /** Deletes partial files of a killed process; a backup never takes longer than a day. */
    private void dropAbandoned() throws IOException {
        var before = clock.instant().minus(LONGEST);
        try (var files = Files.newDirectoryStream(target.folder(), "millrace-*.backup.*.part")) {
            for (var file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Deletes expired backups, only after a successful backup: failures must not reduce the stored backups. */
    private Future<Void> dropSurplus() {
        return target.names()
                .compose(names ->
                        drop(BackupTimes.surplus(names, settings.keep(), settings.keepDays(), clock.instant())))
                .onFailure(failure -> LOG.warn("cannot delete old backups, retrying: {}", failure.getMessage()));
    }

    private Future<Void> drop(List<String> names) {
        var done = Future.<Void>succeededFuture();
        for (var name : names) {
            done = done.compose(_ -> target.drop(name));
        }
        return done;
    }
}
