package io.millrace.app;

import io.millrace.app.module.BackupModule;
import io.millrace.base.backup.BackupNames;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A backup fetched from a bucket: a temporary file in the data directory. */
public final class FetchedBackup {
    private static final Pattern ADDRESS = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,62})/(.*)");

    private FetchedBackup() {}

    public static boolean isInBucket(String address) {
        return address.startsWith("s3:");
    }

    /**
     * Fetches a backup and passes it to the work. Blocking.
     *
     * @param address {@code s3://BUCKET/KEY}; of a key that ends in a slash the newest of the backups below it
     */
    public static <T> T use(String address, Config config, InstantSource clock, Function<Path, T> work) {
        var parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw new BadSetting("expected s3://BUCKET/KEY, or s3://BUCKET/PREFIX/ for the newest, found " + address);
        }
        try {
            Files.createDirectories(config.storage().data().directory());
            // Only the owner may read the file: it has the rows of all tenants, and the secrets if it is not encrypted.
            var file = Files.createTempFile(config.storage().data().directory(), "fetched-", ".backup");
            try {
                fetch(parts.group(1), parts.group(2), config, clock, file);
                return work.apply(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot store the backup for reading: " + failure, failure);
        }
    }

    private static void fetch(String bucket, String key, Config config, InstantSource clock, Path file) {
        var vertx = ServerVertx.create();
        var objects = BackupModule.bucket(vertx, config, bucket, clock);
        var wanted = key.isEmpty() || key.endsWith("/")
                ? objects.keys(key).map(keys -> newest(keys, key))
                : Future.succeededFuture(key);
        OfflineServer.resultOf(wanted.compose(found -> objects.get(found, file)).eventually(vertx::close));
    }

    private static String newest(Iterable<String> keys, String prefix) {
        var newest = "";
        for (var key : keys) {
            var isNewer = key.compareTo(newest) > 0;
            newest = BackupNames.isBackup(key.substring(prefix.length())) && isNewer ? key : newest;
        }
        if (newest.isEmpty()) {
            throw new BadSetting("found no backup below " + prefix + " in the bucket");
        }
        return newest;
    }
}
