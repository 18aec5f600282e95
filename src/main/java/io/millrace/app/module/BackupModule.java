package io.millrace.app.module;

import io.millrace.base.backup.Backup;
import io.millrace.base.config.Config;
import io.millrace.integration.backup.BackupMeters;
import io.millrace.integration.backup.BackupTarget;
import io.millrace.integration.backup.BucketTarget;
import io.millrace.integration.backup.FolderTarget;
import io.millrace.integration.backup.ScheduledBackups;
import java.util.Optional;

/** Backups that the server takes by itself. */
public final class BackupModule {
    private static final String SPOOL = "backup-upload";

    private final ServerContext context;
    private final FileModule files;
    private final BackupMeters meters;

    BackupModule(ServerContext context, FileModule files) {
        this.context = context;
        this.files = files;
        this.meters = new BackupMeters(context.meters());
    }

    /**
     * What takes them; empty where there is no schedule.
     *
     * @param release of the server
     */
    public Optional<ScheduledBackups> scheduled(String release) {
        var config = context.config();
        return config.data()
                .backups()
                .map(settings -> new ScheduledBackups(
                        context.bus(),
                        settings,
                        new Backup(config, release, context.clock()),
                        target(settings.place()),
                        meters,
                        context.clock()));
    }

    private BackupTarget target(Config.BackupPlace place) {
        return switch (place) {
            case Config.BackupPlace.Folder(var path) -> new FolderTarget(context.vertx(), path);
            case Config.BackupPlace.InBucket(var storage, var name, var prefix) ->
                new BucketTarget(
                        context.vertx(),
                        files.large(storage, name),
                        prefix,
                        context.config().data().directory().resolve(SPOOL));
        };
    }
}
