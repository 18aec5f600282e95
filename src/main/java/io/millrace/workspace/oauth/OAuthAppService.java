package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;

/** Handles {@link OAuthApps}. Only the routes of changes require an administrator. */
public final class OAuthAppService implements BusService {
    private static final long PIECE_DEADLINE_MS = 10_000;

    private final Supplier<String> publicUrl;
    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final InstantSource clock;
    private final OAuthAppStore store = new OAuthAppStore();

    /** @param publicUrl address of this server without a trailing slash, the base of redirect addresses */
    public OAuthAppService(Bus bus, Database database, SecretBox box, InstantSource clock, Supplier<String> publicUrl) {
        this.publicUrl = publicUrl;
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(OAuthApps.Save.class, this::save);
        bus.serve(OAuthApps.ListOf.class, this::list);
        bus.serve(OAuthApps.Delete.class, this::delete);
        bus.serve(OAuthApps.FindAuthorizationUrl.class, this::findAuthorizationUrl);
        bus.serve(OAuthApps.FindSetup.class, this::findSetup);
        bus.serve(OAuthApps.FindSecret.class, this::findSecret);
    }

    private Future<OAuthApp> save(OAuthApps.Save ask) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var platformId = ask.by().platform();
        var app = new OAuthApp(Ids.next(), now, now, ask.pieceName(), platformId, ask.clientId());
        var secret = ask.clientSecret().getBytes(StandardCharsets.UTF_8);
        var sealed = box.seal(secret, place(platformId, ask.pieceName()));
        return database.inTransaction(tx -> store.upsert(tx, app, sealed));
    }

    private Future<Page<OAuthApp>> list(OAuthApps.ListOf ask) {
        return database.read(tx -> store.page(tx, ask.by().platform(), ask.page()));
    }

    private Future<Nothing> delete(OAuthApps.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.by().platform()))
                .compose(deleted -> deleted
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.notFound("oauth_app", ask.id())));
    }

    private Future<ObjectNode> findAuthorizationUrl(OAuthApps.FindAuthorizationUrl ask) {
        return bus.ask(
                        new Pieces.FindAuth(PieceScope.of(ask.by().platform()), ask.pieceName(), ask.pieceVersion()),
                        PIECE_DEADLINE_MS)
                .map(auth -> {
                    var provider = OAuthProviderMetadata.of(auth.definition())
                            .orElseThrow(() -> ApiException.of(
                                    ErrorCode.VALIDATION, "piece " + ask.pieceName() + " does not use OAuth2"));
                    try {
                        return AuthorizationUrl.make(
                                provider, ask.clientId(), ask.redirectUrl(), ask.scopes(), ask.props());
                    } catch (IllegalArgumentException malformed) {
                        throw ApiException.of(ErrorCode.VALIDATION, malformed.getMessage());
                    }
                });
    }

    private Future<ObjectNode> findSetup(OAuthApps.FindSetup ask) {
        var scope = PieceScope.of(ask.by().platform());
        return bus.ask(new Pieces.Get(scope, ask.pieceName(), Optional.empty(), Optional.empty()), PIECE_DEADLINE_MS)
                .map(piece -> OAuthSetup.of(piece, publicUrl.get())
                        .orElseThrow(() -> ApiException.of(
                                ErrorCode.VALIDATION, "piece " + ask.pieceName() + " does not use OAuth2"))
                        .toJson());
    }

    private Future<Optional<String>> findSecret(OAuthApps.FindSecret ask) {
        var place = place(ask.platformId(), ask.pieceName());
        return database.read(tx -> store.findSecret(tx, ask.platformId(), ask.pieceName(), ask.clientId()))
                .map(found -> found.map(secret -> new String(box.open(secret, place), StandardCharsets.UTF_8)));
    }

    /** Binds the seal to the piece, not to the row's id: a piece has one client on a platform. */
    private static String place(String platformId, String pieceName) {
        return "oauth_app:" + platformId + ":" + pieceName;
    }
}
