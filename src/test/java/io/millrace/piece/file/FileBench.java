package io.millrace.piece.file;

import static io.millrace.support.Waiting.await;

import io.millrace.base.bus.Bus;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.WebAddress;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.support.FaultyProxy;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** File module behind the real HTTP server, with its own database, project and bucket. */
final class FileBench implements AutoCloseable {
    /** Longest wait for an answer over the bus. */
    static final long DEADLINE_MS = 20_000;

    final MovableClock clock = new MovableClock();
    final S3Peer peer = new S3Peer();
    final Vertx vertx = TestPostgres.vertx();
    final FaultyProxy way;
    final Database database;
    final Bus bus = new Bus(vertx);
    final String projectId;
    private ModuleServer server;

    /** With a database connection that a test can interrupt. */
    FileBench() {
        var settings = TestPostgres.freshDatabase();
        way = FaultyProxy.to(settings.port());
        database = Database.open(vertx, way.seen(settings));
        projectId = TestProjects.insert(database);
    }

    /**
     * A storage in the bucket.
     *
     * @param allowed private addresses that calls may reach
     */
    FileStorage bucket(boolean signedUrls, String allowed, Function<OutboundHttp, BucketKeys> keys) {
        var http = new OutboundHttp(vertx, AddressGuard.allowing(allowed), OutboundLimits.defaults());
        var settings = new S3Settings(WebAddress.parse(peer.endpoint()), "mill-files", "eu-north-1", signedUrls);
        return new FileStorage(Optional.of(new S3Storage(http, settings, keys.apply(http), clock)), true);
    }

    /**
     * Starts the module.
     *
     * @param bytesMax largest file
     * @param redirects true if uploads are redirected to the bucket
     */
    ModuleServer open(FileStorage storage, int bytesMax, boolean redirects) {
        var addresses = new FileAddresses(LinkSecrets.of("secret"), () -> server.url(), clock);
        var limits = new FileService.Limits(bytesMax, Duration.ofDays(30));
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new FileService(vertx, database, addresses, storage, limits, clock),
                        new SliceService(vertx, database, storage, clock),
                        new UploadService(database, addresses, storage, limits, clock)),
                List.of(new FileRoutes(bus, storage.any()), new FileUploadRoutes(bus, bytesMax, redirects)));
        return server;
    }

    /** The single number that a query returns. */
    long number(String sql) {
        return await(database.read(tx -> tx.query(sql))).iterator().next().getLong(0);
    }

    @Override
    public void close() {
        server.close();
        await(database.close());
        await(vertx.close());
        peer.close();
        way.close();
    }
}
