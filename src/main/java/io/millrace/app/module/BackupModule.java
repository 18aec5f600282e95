package io.millrace.app.module;

import io.millrace.base.backup.Backup;
import io.millrace.base.backup.LogArchive;
import io.millrace.base.config.BackupPlace;
import io.millrace.base.config.BackupSettings;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.integration.backup.BackupMeters;
import io.millrace.integration.backup.BackupTarget;
import io.millrace.integration.backup.BucketTarget;
import io.millrace.integration.backup.FolderTarget;
import io.millrace.integration.backup.LogArchiver;
import io.millrace.integration.backup.ScheduledBackups;
import io.millrace.piece.file.LargeObjects;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;

public final class BackupModule {
    private static final String SPOOL = "backup-upload";

    private final ServerContext context;
    private final FileModule files;
    private final BackupMeters meters;

    BackupModule(ServerContext context, FileModule files) {
        this.context = context;
        this.files = files;
        this.meters = new BackupMeters(context.observation().meters());
    }

    /** Empty without a schedule. */
    public Optional<ScheduledBackups> scheduled(String release) {
        var config = context.config();
        return config.storage()
                .data()
                .backups()
                .map(settings -> new ScheduledBackups(
                        context.bus(),
                        settings,
                        new Backup(config, release, context.clock()),
                        target(settings.place()),
                        meters,
                        context.clock()));
    }

    /** A bucket with backups, for a command that has no server. */
    public static LargeObjects bucket(Vertx vertx, Config config, String name, InstantSource clock) {
        var storage = config.storage()
                .files()
                .bucket()
                .orElseThrow(() ->
                        new BadSetting("a backup in a bucket needs AP_S3_REGION, AP_S3_BUCKET and an access key"));
        var http = new OutboundHttp(vertx, ServerContext.guard(config), OutboundLimits.defaults());
        return FileModule.large(vertx, http, storage, name, clock);
    }

    /** Empty if archiving is disabled. */
    public Optional<LogArchiver> log(String release) {
        var config = context.config();
        return config.storage()
                .data()
                .backups()
                .filter(BackupSettings::archivesLog)
                .map(settings -> {
                    var folder = ((BackupPlace.LocalFolder) settings.place()).path();
                    return new LogArchiver(
                            settings,
                            new LogArchive(config, folder, settings.keyFile(), release, context.clock()),
                            meters,
                            context.clock());
                });
    }

    private BackupTarget target(BackupPlace place) {
        return switch (place) {
            case BackupPlace.LocalFolder(var path) -> new FolderTarget(context.vertx(), path);
            case BackupPlace.InBucket(var storage, var name, var prefix) ->
                new BucketTarget(
                        context.vertx(),
                        files.large(storage, name),
                        prefix,
                        context.config().storage().data().directory().resolve(SPOOL));
        };
    }
}
