package io.millrace;

import io.millrace.config.Config;
import io.millrace.file.BucketKeys;
import io.millrace.file.FileAddresses;
import io.millrace.file.FileRoutes;
import io.millrace.file.FileService;
import io.millrace.file.FileStorage;
import io.millrace.file.FileUploadRoutes;
import io.millrace.file.RoleKeys;
import io.millrace.file.S3Settings;
import io.millrace.file.S3Storage;
import io.millrace.file.SliceService;
import io.millrace.file.UploadService;
import io.millrace.http.HttpModule;
import io.millrace.net.CloudKey;
import io.millrace.net.WebAddress;
import io.millrace.persistence.Desk;
import io.millrace.store.StoreEntryRoutes;
import io.millrace.store.StoreService;
import java.util.List;

/** Files and values that steps keep. */
final class FileRooms implements Wing {
    private final Ground ground;
    private final FileStorage storage;
    private final FileAddresses addresses;
    private final FileService files;
    private final StoreService values;
    private final List<Desk> desks;

    FileRooms(Ground ground) {
        this.ground = ground;
        storage = storage();
        addresses = new FileAddresses(ground.secrets().jwtSecret(), ground.publicUrl(), ground.clock());
        var limits = new FileService.Limits(ground.config().engine().fileBytesMax(), ground.retention());
        files = new FileService(ground.vertx(), ground.database(), addresses, storage, limits, ground.clock());
        values = new StoreService(ground.database(), ground.config().engine().storeValueBytesMax(), ground.clock());
        desks = List.of(
                files,
                new SliceService(ground.vertx(), ground.database(), storage, ground.clock()),
                new UploadService(ground.database(), addresses, storage, limits, ground.clock()),
                values);
    }

    FileAddresses addresses() {
        return addresses;
    }

    FileService files() {
        return files;
    }

    StoreService values() {
        return values;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        return List.of(
                new StoreEntryRoutes(ground.bus()),
                new FileRoutes(ground.bus(), storage.any()),
                new FileUploadRoutes(ground.bus(), ground.config().engine().fileBytesMax(), takesFilesItself()));
    }

    /** Whether the bucket gives addresses that files can be sent to. */
    private boolean takesFilesItself() {
        var bucket = ground.config().files().bucket();
        return storage.isWritten() && bucket.filter(Config.Bucket::signedUrls).isPresent();
    }

    private FileStorage storage() {
        var settings = ground.config().files();
        return new FileStorage(settings.bucket().map(this::bucket), settings.isWritten());
    }

    private S3Storage bucket(Config.Bucket bucket) {
        var settings = new S3Settings(
                WebAddress.parse(bucket.endpoint()), bucket.name(), bucket.region(), bucket.signedUrls());
        return new S3Storage(ground.outbound(), settings, keys(bucket.access()), ground.clock());
    }

    private BucketKeys keys(Config.BucketAccess access) {
        return switch (access) {
            case Config.BucketAccess.Key(var id, var secret) -> BucketKeys.of(CloudKey.lasting(id, secret));
            case Config.BucketAccess.Role(var arn, var tokenFile, var service) ->
                new RoleKeys(
                        ground.vertx(),
                        ground.outbound(),
                        new RoleKeys.Role(arn, tokenFile, WebAddress.parse(service)),
                        ground.clock());
        };
    }
}
