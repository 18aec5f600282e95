package io.millrace.piece.request;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Handles {@link PieceRequests}. The routes restrict decisions to administrators. */
public final class PieceRequestService implements BusService {
    private static final String ENTITY = "piece_request";

    /** Limit on open requests per user, because administrators review all of them. */
    private static final int OPEN_MAX = 20;

    /** Timeout of an installation, equal to that of a direct installation by an administrator. */
    private static final long INSTALL_MS_MAX = 300_000;

    private final Database database;
    private final PieceCatalogue catalogue;
    private final InstantSource clock;
    private final PieceRequestStore store = new PieceRequestStore();
    private Bus bus;

    public PieceRequestService(Database database, PieceCatalogue catalogue, InstantSource clock) {
        this.database = database;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(PieceRequests.Create.class, this::create);
        bus.serve(PieceRequests.ListOf.class, this::list);
        bus.serve(PieceRequests.Decide.class, this::decide);
        bus.serve(PieceRequests.Withdraw.class, this::withdraw);
    }

    private Future<PieceRequest> create(PieceRequests.Create ask) {
        if (isHere(ask.by().platform(), ask.pieceName(), ask.pieceVersion())) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.VALIDATION, ask.pieceName() + "@" + ask.pieceVersion() + " is installed already"));
        }
        var request = new PieceRequest(
                Ids.next(),
                now(),
                now(),
                ask.by().platform(),
                ask.by().actingUser(),
                ask.pieceName(),
                ask.pieceVersion(),
                ask.reason(),
                PieceRequest.Status.PENDING,
                Optional.empty(),
                Optional.empty());
        return database.inTransaction(tx -> tx.exclusive(
                        "piece-requests/" + request.platformId() + "/" + request.userId())
                .compose(_ -> store.countOpen(tx, request.platformId(), request.userId()))
                .compose(open -> open < OPEN_MAX
                        ? store.save(tx, request)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION, "expected at most " + OPEN_MAX + " open requests per user"))));
    }

    private boolean isHere(String platformId, String name, String version) {
        return catalogue.has(PieceScope.of(platformId), name, version);
    }

    private Future<Page<PieceRequest>> list(PieceRequests.ListOf ask) {
        var whose = ask.by().administersPlatform()
                ? Optional.<String>empty()
                : Optional.of(ask.by().actingUser());
        return database.read(tx -> store.page(tx, ask.by().platform(), whose, ask.status(), ask.page()));
    }

    private Future<PieceRequest> decide(PieceRequests.Decide ask) {
        return database.read(tx -> store.find(tx, ask.by().platform(), ask.id()))
                .compose(found -> open(found, ask.id()))
                .compose(request ->
                        ask.decision() == PieceRequest.Decision.APPROVED ? install(request) : Future.succeededFuture())
                .compose(_ -> database.inTransaction(tx -> store.decide(tx, ask, now())))
                .map(decided -> decided.orElseThrow(() -> decidedAlready(ask.id())));
    }

    private static Future<PieceRequest> open(Optional<PieceRequest> found, String id) {
        return found.map(request -> request.status() == PieceRequest.Status.PENDING
                        ? Future.succeededFuture(request)
                        : Future.<PieceRequest>failedFuture(decidedAlready(id)))
                .orElseGet(() -> Future.failedFuture(ApiException.notFound(ENTITY, id)));
    }

    private static ApiException decidedAlready(String id) {
        return ApiException.of(ErrorCode.VALIDATION, "expected an open request, but " + id + " is already decided");
    }

    /** The piece may have been installed meanwhile. */
    private Future<Void> install(PieceRequest request) {
        return isHere(request.platformId(), request.pieceName(), request.pieceVersion())
                ? Future.succeededFuture()
                : bus.ask(
                                new Pieces.Install(
                                        request.platformId(),
                                        request.pieceName(),
                                        request.pieceVersion(),
                                        Optional.empty()),
                                INSTALL_MS_MAX)
                        .mapEmpty();
    }

    private Future<Nothing> withdraw(PieceRequests.Withdraw ask) {
        return database.inTransaction(
                        tx -> store.delete(tx, ask.by().platform(), ask.by().actingUser(), ask.id()))
                .map(wasThere -> {
                    if (!wasThere) {
                        throw ApiException.notFound(ENTITY, ask.id());
                    }
                    return Nothing.DONE;
                });
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
