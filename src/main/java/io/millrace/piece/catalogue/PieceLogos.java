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
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches and caches the logos that pieces declare, so that browsers send no requests, and thereby no user data, to
 * other servers. Only declared addresses are fetched, through the guarded client.
 */
public final class PieceLogos implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(PieceLogos.class);
    private static final long TIMEOUT_MS = 8_000;
    private static final int REDIRECTS_MAX = 3;

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
            PieceCatalogue catalogue,
            InstallablePieces installable,
            OutboundHttp outbound,
            int bytesMax,
            long cacheBytesMax,
            InstantSource clock) {
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
        return addressOf(find)
                .compose(address ->
                        cache.find(address).map(Future::succeededFuture).orElseGet(() -> fetchOnce(address)))
                .map(logo -> logo.orElseThrow(() -> missing(find.name())));
    }

    /** Logo address from the installed piece, otherwise from the index. */
    private Future<String> addressOf(Pieces.FindLogo find) {
        return catalogue
                .newest(find.scope(), find.name())
                .map(piece -> Future.succeededFuture(piece.spec().logoUrl()))
                .orElseGet(() -> installable
                        .all()
                        .map(all -> all.stream()
                                .filter(entry -> entry.name().equals(find.name()))
                                .map(entry -> entry.summary().path("logoUrl").asText())
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
