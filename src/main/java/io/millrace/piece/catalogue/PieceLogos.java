package io.millrace.piece.catalogue;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.base.persistence.BusService;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a logo for every piece: the brand icon that came with the server, else the logo that the piece declares, else a
 * drawn letter. Declared logos are fetched through the guarded client and cached, so that browsers send no requests, and
 * thereby no user data, to other servers.
 */
public final class PieceLogos implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(PieceLogos.class);
    private static final long TIMEOUT_MS = 8_000;
    private static final int REDIRECTS_MAX = 3;

    private final Vertx vertx;
    private final PieceCatalogue catalogue;
    private final InstallablePieces installable;
    private final OutboundHttp outbound;
    private final int bytesMax;
    private final PieceLogoCache cache;
    private final Map<String, Future<Optional<PieceLogo>>> underWay = new ConcurrentHashMap<>();

    /**
     * @param bytesMax of one logo
     * @param cacheBytesMax of all that are kept
     */
    public PieceLogos(
            Vertx vertx,
            PieceCatalogue catalogue,
            InstallablePieces installable,
            OutboundHttp outbound,
            int bytesMax,
            long cacheBytesMax,
            InstantSource clock) {
        this.vertx = vertx;
        this.catalogue = catalogue;
        this.installable = installable;
        this.outbound = outbound;
        this.bytesMax = bytesMax;
        this.cache = new PieceLogoCache(cacheBytesMax, clock);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Pieces.FindLogo.class, this::find);
    }

    private Future<PieceLogo> find(Pieces.FindLogo find) {
        return declared(find)
                .compose(piece -> brand(piece)
                        .compose(brand -> brand.map(Future::succeededFuture).orElseGet(() -> drawn(piece))));
    }

    private Future<Optional<PieceLogo>> brand(LogoAddress piece) {
        var key = "brand " + piece.name();
        return cache.find(key)
                .map(Future::succeededFuture)
                .orElseGet(() -> vertx.executeBlocking(() -> BrandLogos.read(piece.name(), piece.displayName()), false)
                        .onSuccess(logo -> cache.keep(key, logo)));
    }

    private Future<PieceLogo> drawn(LogoAddress piece) {
        var fetched = piece.address().isEmpty()
                ? Future.succeededFuture(Optional.<PieceLogo>empty())
                : cache.find(piece.address()).map(Future::succeededFuture).orElseGet(() -> fetchOnce(piece.address()));
        return fetched.map(logo -> logo.orElseGet(() -> Monogram.of(piece.name(), piece.displayName())));
    }

    private record LogoAddress(String name, String displayName, String address) {}

    /** From the installed piece, otherwise from the index. */
    private Future<LogoAddress> declared(Pieces.FindLogo find) {
        return catalogue
                .newest(find.scope(), find.name())
                .map(piece -> Future.succeededFuture(new LogoAddress(
                        piece.spec().name(),
                        piece.spec().displayName(),
                        piece.spec().logoUrl())))
                .orElseGet(() -> installable
                        .all()
                        .map(all -> all.stream()
                                .filter(entry -> entry.name().equals(find.name()))
                                .map(entry -> new LogoAddress(
                                        entry.name(),
                                        entry.displayName(),
                                        entry.documents()
                                                .summary()
                                                .path("logoUrl")
                                                .asText()))
                                .findFirst()
                                .orElseThrow(() -> missing(find.name()))));
    }

    private static ApiException missing(String name) {
        return ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object().put("entityType", "piece_logo").put("entityId", name));
    }

    /** Concurrent callers share one fetch. */
    private Future<Optional<PieceLogo>> fetchOnce(String address) {
        var promise = Promise.<Optional<PieceLogo>>promise();
        var earlier = underWay.putIfAbsent(address, promise.future());
        if (earlier != null) {
            return earlier;
        }
        fetch(address).onComplete(outcome -> {
            cache.keep(address, outcome.succeeded() ? outcome.result() : Optional.empty());
            underWay.remove(address);
            promise.handle(outcome);
        });
        return promise.future();
    }

    /** A failed fetch counts as a missing logo; the reason is only logged. */
    private Future<Optional<PieceLogo>> fetch(String address) {
        WebAddress target;
        try {
            target = WebAddress.parse(address);
        } catch (IllegalArgumentException noAddress) {
            return Future.succeededFuture(Optional.empty());
        }
        var request = OutboundRequest.of("GET", target)
                .withHeader("Accept", "image/svg+xml, image/png")
                .withTimeoutMs(TIMEOUT_MS)
                .withBodyBytesMax(bytesMax)
                .followingRedirects(REDIRECTS_MAX);
        return outbound.send(request).map(PieceLogos::logoOf).recover(failure -> {
            LOG.debug("cannot fetch the logo at {}: {}", target.origin(), failure.getMessage());
            return Future.succeededFuture(Optional.empty());
        });
    }

    private static Optional<PieceLogo> logoOf(OutboundResponse response) {
        return response.status() == 200 ? PieceLogo.of(response.body()) : Optional.empty();
    }
}
