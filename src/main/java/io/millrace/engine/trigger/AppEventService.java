package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.trigger.HookContext.Listening;
import io.millrace.engine.trigger.Triggers.AppEventOutcome;
import io.millrace.piece.AppEvents;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests to the shared address of an app and finds the flows that receive them (contract flows-and-engine 25, agents
 * 8). Address and secret are the server's, so on a shared server only a globally available piece reads them (decision 0076).
 */
public final class AppEventService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(AppEventService.class);

    private static final String PREFIX = "@activepieces/piece-";
    private static final long VERIFY_MS_MAX = 10_000;

    private final Database database;
    private final PieceCatalogue pieces;
    private final Map<String, AppEvents> formats;
    private final Map<String, JsonNode> secrets;
    private final Supplier<String> publicUrl;
    private final TriggerSourceStore store = new TriggerSourceStore();

    /**
     * @param formats of apps whose events are read without their piece, by short name of the piece
     * @param secrets by name of the piece, short or whole (AP_APP_WEBHOOK_SECRETS)
     */
    public AppEventService(
            Database database,
            PieceCatalogue pieces,
            Map<String, AppEvents> formats,
            Map<String, JsonNode> secrets,
            Supplier<String> publicUrl) {
        this.database = database;
        this.pieces = pieces;
        this.formats = Map.copyOf(formats);
        this.secrets = Map.copyOf(secrets);
        this.publicUrl = publicUrl;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Triggers.AppEvent.class, this::receive);
    }

    private Future<AppEventOutcome> receive(Triggers.AppEvent request) {
        return events(request.app())
                .compose(found -> found.map(events -> read(events, request))
                        .orElseGet(() -> Future.succeededFuture(new AppEventOutcome.Unknown())));
    }

    private Future<Optional<AppEvents>> events(String app) {
        var known = formats.get(app);
        return known != null
                ? Future.succeededFuture(Optional.of(known))
                : database.read(store::onlyPlatform)
                        .map(only -> pieces.newest(new PieceScope(only), PREFIX + app)
                                .flatMap(Piece::appEvents));
    }

    private Future<AppEventOutcome> read(AppEvents events, Triggers.AppEvent request) {
        return events.parseAndReply(request.payload(), publicUrl.get())
                .recover(failure -> failure instanceof PieceFailure
                        ? Future.succeededFuture(new AppEvents.ParseResult.Malformed())
                        : Future.failedFuture(failure))
                .compose(parsed -> outcome(events, request, parsed));
    }

    private Future<AppEventOutcome> outcome(AppEvents events, Triggers.AppEvent request, AppEvents.ParseResult parsed) {
        return switch (parsed) {
            case AppEvents.ParseResult.Reply(var answer) -> Future.succeededFuture(new AppEventOutcome.Replied(answer));
            case AppEvents.ParseResult.Malformed _ -> Future.succeededFuture(new AppEventOutcome.Malformed());
            case AppEvents.ParseResult.Irrelevant _ -> Future.succeededFuture(new AppEventOutcome.Dropped());
            case AppEvents.ParseResult.Press(var url, var payload) ->
                whenSigned(events, request, () -> Future.succeededFuture(new AppEventOutcome.Pressed(url, payload)));
            case AppEvents.ParseResult.Event event
            when !Listening.fits(event.name()) || !Listening.fits(event.identifier()) ->
                Future.succeededFuture(new AppEventOutcome.Malformed());
            case AppEvents.ParseResult.Event event ->
                whenSigned(events, request, () -> listening(request.app(), event));
        };
    }

    private Future<AppEventOutcome> listening(String app, AppEvents.ParseResult.Event event) {
        var key = event.deliveryId().map(id -> "app-event/" + app + "/" + id);
        return database.read(tx -> store.listening(tx, PREFIX + app, event.name(), event.identifier()))
                .map(flows -> new AppEventOutcome.For(flows, key));
    }

    private Future<AppEventOutcome> whenSigned(
            AppEvents events, Triggers.AppEvent request, Supplier<Future<AppEventOutcome>> then) {
        return isSigned(events, request)
                .compose(signed -> signed ? then.get() : Future.succeededFuture(new AppEventOutcome.Dropped()));
    }

    /** Verifies the signature. Without a secret a forged request cannot be detected, so every request is rejected. */
    private Future<Boolean> isSigned(AppEvents events, Triggers.AppEvent request) {
        var app = request.app();
        var secret = secrets.getOrDefault(app, secrets.get(PREFIX + app));
        if (secret == null && events.needsSecret()) {
            LOG.warn("dropped an event of {}: AP_APP_WEBHOOK_SECRETS has no secret for it", app);
            return Future.succeededFuture(false);
        }
        var url = publicUrl.get() + "/api/v1/app-events/" + app;
        return events.verify(secret, Json.object().setAll(request.payload()), url)
                .timeout(VERIFY_MS_MAX, TimeUnit.MILLISECONDS)
                .recover(cause -> {
                    LOG.warn("cannot verify an event of {}: {}", app, cause.getMessage());
                    return cause instanceof ApiException ? Future.failedFuture(cause) : Future.succeededFuture(false);
                });
    }
}
