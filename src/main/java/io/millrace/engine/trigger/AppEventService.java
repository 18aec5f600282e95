package io.millrace.engine.trigger;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.trigger.Triggers.AppEventOutcome;
import io.millrace.piece.AppEvents;
import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests to the one address of an app, and says for which flows they are (contract flows-and-engine 25). Address
 * and secret are the server's, so where platforms share it only a piece of everybody reads them (decision 0076).
 */
public final class AppEventService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(AppEventService.class);

    private static final String PREFIX = "@activepieces/piece-";
    private static final long VERIFY_MS_MAX = 10_000;

    private final Database database;
    private final PieceCatalogue pieces;
    private final Map<String, String> secrets;
    private final Supplier<String> publicUrl;
    private final TriggerSourceStore store = new TriggerSourceStore();

    /**
     * @param secrets by name of the piece, short or whole (AP_APP_WEBHOOK_SECRETS)
     */
    public AppEventService(
            Database database, PieceCatalogue pieces, Map<String, String> secrets, Supplier<String> publicUrl) {
        this.database = database;
        this.pieces = pieces;
        this.secrets = Map.copyOf(secrets);
        this.publicUrl = publicUrl;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Triggers.AppEvent.class, this::receive);
    }

    private Future<AppEventOutcome> receive(Triggers.AppEvent request) {
        return database.read(store::onlyPlatform)
                .map(only -> pieces.newest(new PieceScope(only), PREFIX + request.app())
                        .flatMap(Piece::appEvents))
                .compose(found -> found.map(events -> events.parseAndReply(request.payload(), publicUrl.get())
                                .compose(parsed -> outcome(events, request, parsed)))
                        .orElseGet(() -> Future.succeededFuture(new AppEventOutcome.Unknown())));
    }

    private Future<AppEventOutcome> outcome(AppEvents events, Triggers.AppEvent request, AppEvents.Parsed parsed) {
        if (parsed.reply() != null) {
            return Future.succeededFuture(new AppEventOutcome.Replied(parsed.reply()));
        }
        if (parsed.event() == null || parsed.identifierValue() == null) {
            return Future.succeededFuture(new AppEventOutcome.Malformed());
        }
        return isSigned(events, request)
                .compose(signed -> signed
                        ? database.read(tx -> store.listening(tx, PREFIX + request.app(), parsed))
                                .map(AppEventOutcome.For::new)
                        : Future.succeededFuture(new AppEventOutcome.For(List.of())));
    }

    /** Without a secret nothing can be told from a forgery, so nothing is let in. */
    private Future<Boolean> isSigned(AppEvents events, Triggers.AppEvent request) {
        var secret = secrets.getOrDefault(request.app(), secrets.get(PREFIX + request.app()));
        if (secret == null) {
            LOG.warn("an event of {} is dropped: AP_APP_WEBHOOK_SECRETS names no secret for it", request.app());
            return Future.succeededFuture(false);
        }
        var url = publicUrl.get() + "/api/v1/app-events/" + request.app();
        return events.verify(secret, Json.object().setAll(request.payload()), url)
                .timeout(VERIFY_MS_MAX, TimeUnit.MILLISECONDS)
                .otherwise(cause -> {
                    LOG.warn(
                            "an event of {} is dropped: it could not be verified: {}",
                            request.app(),
                            cause.getMessage());
                    return false;
                });
    }
}
