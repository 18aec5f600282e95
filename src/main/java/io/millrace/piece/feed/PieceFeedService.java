package io.millrace.piece.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.piece.PieceMetadata;
import io.millrace.piece.catalogue.CatalogueEntry;
import io.millrace.piece.catalogue.InstallablePieces;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.piece.npm.PackageDescription;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the index of published pieces: the shipped one until a newer one was fetched. A failed or invalid fetch
 * changes nothing. Thread-safe.
 */
public final class PieceFeedService implements BusService, InstallablePieces {
    private static final Logger LOG = LoggerFactory.getLogger(PieceFeedService.class);

    private final Vertx vertx;
    private final Database database;
    private final Optional<Source> source;
    private final boolean comeWhenNamed;
    private final InstantSource clock;
    private final FeedStore store = new FeedStore();
    private final AtomicReference<Future<FeedIndex>> current = new AtomicReference<>();
    private final AtomicReference<Instant> fetched = new AtomicReference<>(Instant.EPOCH);

    /**
     * Source of newer indexes.
     *
     * @param interval poll interval of all nodes together
     * @param bytesMax largest list
     * @param release release of this server, sent to the address
     */
    public record Source(String address, Duration interval, int bytesMax, String release, OutboundHttp outbound) {
        FeedDownload download() {
            return new FeedDownload(outbound, release, bytesMax);
        }
    }

    /**
     * Creates the service.
     *
     * @param source empty for the index that came with the server alone
     * @param comeWhenNamed true if naming a published piece installs it
     */
    public PieceFeedService(
            Vertx vertx, Database database, Optional<Source> source, boolean comeWhenNamed, InstantSource clock) {
        this.comeWhenNamed = comeWhenNamed;
        this.vertx = vertx;
        this.database = database;
        this.source = source;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Pieces.RefreshIndex.class, _ -> refresh(Duration.ZERO));
        source.ifPresent(from -> {
            bus.onChange(Pieces.RowsChanged.class, _ -> load(from));
            vertx.setPeriodic(
                    0,
                    from.interval().toMillis(),
                    _ -> refresh(from.interval())
                            .onFailure(failure -> LOG.warn(
                                    "cannot fetch the list of pieces at {}: {}",
                                    from.address(),
                                    failure.getMessage())));
        });
    }

    @Override
    public boolean comeWhenNamed() {
        return comeWhenNamed;
    }

    @Override
    public Future<List<CatalogueEntry>> all() {
        return index().map(FeedIndex::entries);
    }

    /** Loaded lazily, once. */
    private Future<FeedIndex> index() {
        var known = current.get();
        if (known != null) {
            return known;
        }
        var read = vertx.executeBlocking(ServerIndex::read, false);
        return current.compareAndSet(null, read) ? read : current.get();
    }

    @Override
    public Future<Optional<ObjectNode>> details(String name, String version) {
        return vertx.executeBlocking(() -> ServerIndex.metadata(name, version), false)
                .compose(metadata -> metadata.map(said -> described(name, version, said))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    private Future<Optional<ObjectNode>> described(String name, String version, ObjectNode metadata) {
        return all().map(entries -> entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .map(entry -> PackageDescription.ofOfficial(
                                new PackageDescription.Label(
                                        PieceMetadata.idOf(name),
                                        entry.times().created(),
                                        entry.times().updated(),
                                        version),
                                name,
                                metadata)
                        .put("installed", false)));
    }

    /** Polls the address, unless a node has done so recently. */
    private Future<Nothing> refresh(Duration unless) {
        return source.map(from -> claimed(from, unless)
                        .compose(turn -> turn.map(etag -> fetch(from, etag)).orElseGet(Future::succeededFuture))
                        .compose(_ -> load(from))
                        .map(Nothing.DONE)
                        .recover(failure -> Future.failedFuture(told(failure))))
                .orElseGet(() -> Future.succeededFuture(Nothing.DONE));
    }

    private static Throwable told(Throwable failure) {
        return failure instanceof ApiException
                ? failure
                : ApiException.of(
                        ErrorCode.ENGINE_OPERATION_FAILURE,
                        "the list of published pieces cannot be fetched: " + failure.getMessage());
    }

    private Future<Optional<Optional<String>>> claimed(Source from, Duration unless) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return database.inTransaction(tx -> store.claim(tx, from.address(), now, now.minus(unless)));
    }

    private Future<Void> fetch(Source from, Optional<String> etag) {
        return from.download().fetch(from.address(), etag).compose(answer -> switch (answer) {
            case FeedDownload.Answer.Unchanged _ -> Future.succeededFuture();
            case FeedDownload.Answer.Changed(var tag, var content) -> keep(from, tag, content);
        });
    }

    /** Only a valid list is stored. */
    private Future<Void> keep(Source from, Optional<String> etag, Buffer content) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return vertx.executeBlocking(() -> parsed(content, now), false)
                .compose(_ -> database.inTransaction(tx -> store.save(tx, from.address(), now, etag, content)));
    }

    private Future<Void> load(Source from) {
        return database.read(tx -> store.fetched(tx, from.address()))
                .compose(kept -> kept.filter(at -> at.isAfter(fetched.get()))
                        .map(_ -> database.read(tx -> store.find(tx, from.address()))
                                .compose(this::take))
                        .orElseGet(Future::succeededFuture));
    }

    private Future<Void> take(Optional<FeedStore.FeedCopy> found) {
        return found.map(kept -> vertx.executeBlocking(() -> parsed(kept.content(), kept.fetched()), false)
                        .map(index -> {
                            current.set(Future.succeededFuture(index));
                            fetched.set(kept.fetched());
                            LOG.info(
                                    "loaded {} published pieces of {}",
                                    index.entries().size(),
                                    kept.fetched());
                            return (Void) null;
                        }))
                .orElseGet(Future::succeededFuture);
    }

    private static FeedIndex parsed(Buffer content, Instant at) {
        JsonNode list;
        try {
            list = Json.parse(content.getBytes());
        } catch (IOException malformed) {
            throw new UncheckedIOException("expected a list of pieces as JSON", malformed);
        }
        var index = FeedIndex.of(list, at);
        if (!list.isArray() || index.entries().isEmpty()) {
            throw new IllegalStateException("expected a list of published pieces");
        }
        return index;
    }
}
