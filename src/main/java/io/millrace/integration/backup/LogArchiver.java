package io.millrace.integration.backup;

import io.millrace.base.backup.LogArchive;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.config.BackupSettings;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives the write-ahead log of an embedded database next to the backups: uploads each segment as soon as it is complete,
 * copies the database if there is no copy yet and at the times of backups, and deletes segments that no retained copy needs.
 * Failures are logged and retried.
 */
public final class LogArchiver extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(LogArchiver.class);
    private static final long LOOK_MS = 1_000;
    private static final Duration LONGEST = Duration.ofHours(24);

    /** Pause after a failure: an unavailable folder would otherwise be logged each second. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final BackupSettings settings;
    private final LogArchive archive;
    private final BackupMeters meters;
    private final InstantSource clock;
    private WorkerExecutor carrier;
    private WorkerExecutor copier;
    private Instant due;
    private Instant silentUntil;
    private boolean isCarrying;
    private boolean isCopying;

    public LogArchiver(BackupSettings settings, LogArchive archive, BackupMeters meters, InstantSource clock) {
        this.settings = settings;
        this.archive = archive;
        this.meters = meters;
        this.clock = clock;
    }

    /** Starts also while the folder is unavailable: segments then wait on the disk. */
    @Override
    public Future<?> start() {
        carrier = WorkerThreads.open(vertx, "log-archive", 1, LONGEST);
        copier = WorkerThreads.open(vertx, "base-copy", 1, LONGEST);
        silentUntil = clock.instant();
        due = BackupTimes.next(settings.times(), clock.instant());
        isCarrying = true;
        carrier.executeBlocking(this::begin, false)
                .onSuccess(hasBase -> due = hasBase ? due : clock.instant())
                .onFailure(failure -> {
                    due = clock.instant().plus(QUIET);
                    failed("cleaned up", failure);
                })
                .onComplete(_ -> isCarrying = false);
        vertx.setPeriodic(LOOK_MS, _ -> look());
        return Future.succeededFuture();
    }

    private boolean begin() throws IOException {
        archive.tidy();
        return archive.hasBase();
    }

    private void look() {
        if (!isCarrying) {
            isCarrying = true;
            carrier.executeBlocking(archive::carry, false)
                    .onFailure(failure -> failed("archived", failure))
                    .onComplete(_ -> isCarrying = false);
        }
        if (!isCopying && !clock.instant().isBefore(due)) {
            isCopying = true;
            due = BackupTimes.next(settings.times(), clock.instant());
            copy().onComplete(_ -> isCopying = false);
        }
    }

    private Future<Void> copy() {
        return copier.executeBlocking(archive::takeBase, false)
                .onSuccess(base -> LOG.info("base copy taken: any moment from {} on can be restored", base.moment()))
                .onFailure(failure -> {
                    meters.failed();
                    // Without a copy the log is useless, so the copy is retried before the next scheduled time.
                    due = clock.instant().plus(QUIET);
                    LOG.error("the base copy of the database failed: {}", failure.getMessage());
                })
                .compose(_ -> carrier.executeBlocking(this::dropSurplus, false)
                        .onFailure(failure ->
                                LOG.warn("cannot delete the unneeded log, retrying: {}", failure.getMessage())))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private List<LogArchive.Base> dropSurplus() throws IOException {
        var surplus = BackupTimes.surplus(
                archive.bases(), LogArchive.Base::moment, settings.keep(), settings.keepDays(), clock.instant());
        archive.drop(surplus);
        return surplus;
    }

    private void failed(String what, Throwable failure) {
        if (!clock.instant().isBefore(silentUntil)) {
            silentUntil = clock.instant().plus(QUIET);
            meters.failed();
            LOG.error("the write-ahead log cannot be {}: {}", what, failure.getMessage());
        }
    }
}
