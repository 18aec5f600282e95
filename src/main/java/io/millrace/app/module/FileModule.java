package io.millrace.app.module;

import io.millrace.base.config.ObjectStorageSettings;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.CloudKey;
import io.millrace.base.net.HostClass;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.WebAddress;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.RowBound;
import io.millrace.piece.file.BucketKeys;
import io.millrace.piece.file.FileAddresses;
import io.millrace.piece.file.FileRoutes;
import io.millrace.piece.file.FileService;
import io.millrace.piece.file.FileStorage;
import io.millrace.piece.file.FileUploadRoutes;
import io.millrace.piece.file.LargeObjects;
import io.millrace.piece.file.RoleKeys;
import io.millrace.piece.file.S3LargeObjects;
import io.millrace.piece.file.S3Settings;
import io.millrace.piece.file.S3Storage;
import io.millrace.piece.file.SliceService;
import io.millrace.piece.file.UploadService;
import io.millrace.piece.store.StoreEntryRoutes;
import io.millrace.piece.store.StoreService;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;

final class FileModule implements ServerModule {
    private final ServerContext context;
    private final FileStorage storage;
    private final FileAddresses addresses;
    private final FileService files;
    private final List<BusService> busServices;

    FileModule(ServerContext context) {
        this.context = context;
        storage = storage();
        addresses = new FileAddresses(context.linkSecrets(), context.network().publicUrl(), context.clock());
        var limits =
                new FileService.Limits(context.config().runs().engine().sizes().fileBytesMax(), context.retention());
        files = new FileService(context.vertx(), context.database(), addresses, storage, limits, context.clock());
        busServices =
                List.of(files, new UploadService(context.database(), addresses, storage, limits, context.clock()));
    }

    FileAddresses addresses() {
        return addresses;
    }

    FileService files() {
        return files;
    }

    /** Creates a service of stored values; it is stateless, so each caller may have its own. */
    StoreService values() {
        return new StoreService(
                context.database(),
                context.config().runs().engine().sizes().storeValueBytesMax(),
                new RowBound(context.config().content().bounds().storeEntriesMax(), "AP_STORE_ENTRIES_MAX"),
                context.clock());
    }

    @Override
    public List<BusService> loopServices() {
        return List.of(new SliceService(context.vertx(), context.database(), storage, context.clock()), values());
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        return List.of(
                new StoreEntryRoutes(context.bus()),
                new FileRoutes(context.bus(), storage.any()),
                new FileUploadRoutes(
                        context.bus(), context.config().runs().engine().sizes().fileBytesMax(), takesFilesItself()));
    }

    /** Returns true if the bucket provides presigned upload addresses. */
    private boolean takesFilesItself() {
        var bucket = context.config().storage().files().bucket();
        return storage.isWritten()
                && bucket.filter(ObjectStorageSettings.Bucket::signedUrls).isPresent();
    }

    private FileStorage storage() {
        var settings = context.config().storage().files();
        return new FileStorage(settings.bucket().map(this::bucket), settings.isWritten());
    }

    LargeObjects large(ObjectStorageSettings.Bucket storage, String bucket) {
        return large(context.vertx(), storageHosts(), storage, bucket, context.clock());
    }

    /** Storage of large files for commands, which run without a server. */
    static LargeObjects large(
            Vertx vertx, OutboundHttp http, ObjectStorageSettings.Bucket storage, String bucket, InstantSource clock) {
        var settings = new S3Settings(WebAddress.parse(storage.endpoint()), bucket, storage.region(), false);
        return new S3LargeObjects(vertx, http, settings, keys(vertx, http, storage.access(), clock), clock);
    }

    private S3Storage bucket(ObjectStorageSettings.Bucket bucket) {
        var settings = new S3Settings(
                WebAddress.parse(bucket.endpoint()), bucket.name(), bucket.region(), bucket.signedUrls());
        var keys = keys(context.vertx(), storageHosts(), bucket.access(), context.clock());
        return new S3Storage(storageHosts(), settings, keys, context.clock());
    }

    private OutboundHttp storageHosts() {
        return context.network().services().toHosts(HostClass.FILE_STORAGE);
    }

    private static BucketKeys keys(
            Vertx vertx, OutboundHttp http, ObjectStorageSettings.BucketAccess access, InstantSource clock) {
        return switch (access) {
            case ObjectStorageSettings.BucketAccess.Key(var id, var secret) ->
                BucketKeys.of(CloudKey.lasting(id, secret));
            case ObjectStorageSettings.BucketAccess.Role(var arn, var tokenFile, var service) ->
                new RoleKeys(vertx, http, new RoleKeys.Role(arn, tokenFile, WebAddress.parse(service)), clock);
        };
    }
}
