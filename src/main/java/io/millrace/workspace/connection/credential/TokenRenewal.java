package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.oauth.OAuthApps;
import io.millrace.workspace.oauth.OAuthFailure;
import io.millrace.workspace.oauth.OAuthProviderMetadata;
import io.millrace.workspace.oauth.OAuthTokens;
import io.millrace.workspace.oauth.TokenExchange;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews tokens, one attempt per connection at a time: callers on a node share one attempt, and a claim in the row excludes
 * other nodes (contract admin-api 7.9). No transaction is open during the call to the provider.
 */
public final class TokenRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(TokenRenewal.class);

    private static final long SECRET_DEADLINE_MS = 10_000;
    private static final long LOOK_AGAIN_MS = 200;

    /** Time that a renewed value is kept in memory while the database is unreachable. */
    private static final Duration KEPT_FOR = Duration.ofHours(1);

    /** Time after which callers get a renewed value that the database has not stored yet. */
    private static final long STORED_WITHIN_MS = 2_000;

    private static final Duration WAIT_FOR_OTHERS = OAuthTokens.DEADLINE;

    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final ConnectionSecrets secrets;
    private final InstantSource clock;
    private final OutageRetry retry;
    private final SealedValueStore store = new SealedValueStore();
    private final Map<String, Future<Outcome>> underWay = new HashMap<>();

    /** Renewed values that callers have, while the database is unreachable. */
    private final Map<String, Outcome> unstored = new HashMap<>();

    /**
     * Claim of this node. A node has one attempt per connection at a time, so it may take over a claim of its own that an
     * outage left behind.
     */
    private final String claim = Ids.next();

    public sealed interface Outcome {
        /** The value is usable: renewed by any node, or not yet expired. */
        record Current(SealedConnection connection) implements Outcome {}

        /** The provider has refused; the connection is in status ERROR. */
        record Refused() implements Outcome {}

        /** No decisive answer of the provider; a later attempt may succeed. */
        record Failed(String reason) implements Outcome {}
    }

    /** A piece has refused to issue a token; without its message, which may echo the credentials. */
    private static final class PieceRefusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        PieceRefusal() {
            super("the piece refused to issue a token", null, false, false);
        }
    }

    public TokenRenewal(
            Vertx vertx, Bus bus, Database database, SecretBox box, ConnectionSecrets secrets, InstantSource clock) {
        this.vertx = vertx;
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.secrets = secrets;
        this.clock = clock;
        this.retry = new OutageRetry(pauseMs -> vertx.timer(pauseMs).mapEmpty());
    }

    /**
     * Fails with UNAVAILABLE when the database or another source of credentials is temporarily unreachable and the token is
     * expired.
     */
    public Future<Outcome> renewed(SealedConnection connection) {
        var usable = unstored.get(connection.id());
        if (usable != null) {
            return Future.succeededFuture(usable);
        }
        var waitedFor = underWay.get(connection.id());
        if (waitedFor != null) {
            return waitedFor;
        }
        var attempt = attempt(connection, WAIT_FOR_OTHERS.toMillis() / LOOK_AGAIN_MS);
        underWay.put(connection.id(), attempt);
        return attempt.onComplete(_ -> underWay.remove(connection.id(), attempt));
    }

    private Future<Outcome> attempt(SealedConnection connection, long looksLeft) {
        return database.inTransaction(tx -> store.claim(tx, connection, claim))
                .map(Optional::of)
                .recover(failure -> ApiException.isUnavailable(failure) && isAlive(connection)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure))
                .compose(mine -> mine.map(claimed -> claimed ? renew(connection) : afterOthers(connection, looksLeft))
                        .orElseGet(() -> Future.succeededFuture(new Outcome.Current(connection))));
    }

    /** Another node is renewing this value, or has done so since it was read. */
    private Future<Outcome> afterOthers(SealedConnection before, long looksLeft) {
        return database.read(tx -> store.find(tx, before.id())).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture(new Outcome.Failed("it was deleted"));
            }
            var now = found.get();
            if (now.status() != ConnectionStatus.ACTIVE) {
                return Future.succeededFuture(new Outcome.Refused());
            }
            if (!now.isDue(clock.instant()) || isAlive(now)) {
                return Future.succeededFuture(new Outcome.Current(now));
            }
            // A claim of a crashed node expires.
            return looksLeft == 0
                    ? Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "another node is renewing the token"))
                    : vertx.timer(LOOK_AGAIN_MS).compose(_ -> attempt(now, looksLeft - 1));
        });
    }

    private Future<Outcome> renew(SealedConnection connection) {
        var value = connection.open(box);
        return secrets.in(connection.platformId(), connection.projectId(), value)
                .compose(whole -> connection.type() == ConnectionType.CUSTOM_AUTH
                        ? byPiece(connection, value, whole)
                        : byProvider(connection, value, whole))
                .compose(renewed -> keep(connection, renewed))
                .recover(failure -> failed(connection, failure));
    }

    private Future<RenewedValue> byProvider(SealedConnection connection, ObjectNode value, ObjectNode whole) {
        return addressed(connection, whole)
                .compose(addressed -> clientSecret(connection, addressed)
                        .compose(secret ->
                                bus.ask(new OAuthTokens.Renew(addressed, secret), OAuthTokens.DEADLINE.toMillis())))
                .map(renewed -> ConnectionSecrets.withReferencesOf(value, renewed))
                .map(renewed -> new RenewedValue(renewed, TokenExchange.renewalDue(renewed)));
    }

    private Future<RenewedValue> byPiece(SealedConnection connection, ObjectNode value, ObjectNode whole) {
        return PieceToken.ask(bus, connection.platformId(), connection.piece(), whole, connection.projectId())
                .map(answer -> switch (answer) {
                    case Pieces.IssueOutcome.Issued(var token) -> PieceToken.with(value, token, clock.instant());
                    case Pieces.IssueOutcome.Needless() -> PieceToken.needless(value);
                    case Pieces.IssueOutcome.Refused _ -> throw new PieceRefusal();
                });
    }

    /**
     * A value with the address of its provider. For a client of the platform the address is read again from the piece: earlier releases
     * stored addresses in which a field of the connection selected any host.
     */
    private Future<ObjectNode> addressed(SealedConnection connection, ObjectNode value) {
        if (connection.type() == ConnectionType.OAUTH2) {
            return Future.succeededFuture(value);
        }
        var props =
                value.get("props") instanceof ObjectNode object ? Optional.of(object) : Optional.<ObjectNode>empty();
        return bus.ask(
                        new Pieces.FindAuth(
                                PieceScope.of(connection.platformId()),
                                connection.piece().name(),
                                Optional.empty()),
                        SECRET_DEADLINE_MS)
                .map(piece -> OAuthProviderMetadata.of(piece.definition())
                        .map(provider -> provider.withPlatformClient(props))
                        .map(provider -> value.put("token_url", provider.tokenUrl()))
                        .orElseThrow(() -> new IllegalStateException(
                                "piece " + connection.piece().name() + " does not use OAuth2")));
    }

    /** The secret of a user's client is stored in the value; that of the platform's client is looked up. */
    private Future<String> clientSecret(SealedConnection connection, ObjectNode value) {
        if (connection.type() == ConnectionType.OAUTH2) {
            return Future.succeededFuture(value.path("client_secret").asText());
        }
        var clientId = value.path("client_id").asText();
        return bus.ask(
                        new OAuthApps.FindSecret(
                                connection.platformId(), connection.piece().name(), clientId),
                        SECRET_DEADLINE_MS)
                .map(Optional::orElseThrow);
    }

    /**
     * Retried while the database is unreachable: a provider that rotates refresh tokens no longer accepts the old one. The
     * write does not depend on the claim, which may have expired meanwhile, but on the old value, under any encryption key: a
     * refusal that another node got for it is replaced. Callers do not wait for the end of an outage.
     */
    private Future<Outcome> keep(SealedConnection connection, RenewedValue renewed) {
        var sealed = SealedConnection.seal(box, connection.id(), renewed.value());
        var due = renewed.due();
        var current = new Outcome.Current(connection.with(sealed, due));
        var stored = retry.perform(
                        KEPT_FOR,
                        () -> false,
                        () -> database.inTransaction(
                                tx -> store.renew(tx, connection.id(), connection.value(), now(), sealed, due)))
                .compose(kept -> kept ? Future.<Outcome>succeededFuture(current) : afterOthers(connection, 0));
        var answer = Promise.<Outcome>promise();
        var timer = vertx.timer(STORED_WITHIN_MS);
        stored.onSuccess(answer::tryComplete).onFailure(answer::tryFail).onComplete(_ -> timer.cancel());
        timer.onSuccess(_ -> {
            if (answer.tryComplete(current)) {
                unstored.put(connection.id(), current);
                stored.onComplete(_ -> unstored.remove(connection.id()))
                        .onFailure(failure ->
                                LOG.error("cannot store the renewed token of connection {}", connection.id(), failure));
            }
        });
        return answer.future();
    }

    private Future<Outcome> failed(SealedConnection connection, Throwable failure) {
        if (isRefusal(failure)) {
            // The issuer's message is not logged: it may echo the request.
            LOG.warn("the issuer refused a new token for connection {}", connection.id());
            return database.inTransaction(tx -> store.fail(tx, connection.id(), claim, now()))
                    .map(new Outcome.Refused());
        }
        LOG.warn("cannot renew connection {} now: {}", connection.id(), failure.getMessage());
        var released = database.inTransaction(tx -> store.giveUp(tx, connection.id(), claim));
        if (isAlive(connection)) {
            return released.<Outcome>map(new Outcome.Current(connection))
                    .recover(unreleased -> ApiException.isUnavailable(unreleased)
                            ? Future.succeededFuture(new Outcome.Current(connection))
                            : Future.failedFuture(unreleased));
        }
        return released.compose(_ -> isAway(failure)
                ? Future.failedFuture(failure)
                : Future.succeededFuture(
                        isWithoutToken(connection) ? new Outcome.Current(connection) : undecided(failure)));
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof PieceRefusal
                || failure instanceof OAuthFailure refused && refused.kind() == OAuthFailure.Kind.REFUSED;
    }

    /** A value that never had a token is used as it is: its piece may not need one. */
    private boolean isWithoutToken(SealedConnection connection) {
        return connection.type() == ConnectionType.CUSTOM_AUTH && !PieceToken.isIn(connection.open(box));
    }

    private static Outcome undecided(Throwable failure) {
        return new Outcome.Failed(
                failure instanceof OAuthFailure ? failure.getMessage() : "its token could not be renewed");
    }

    /** True for an outage of the database or of a secret manager, but not for a provider or piece that gives no answer. */
    private static boolean isAway(Throwable failure) {
        return ApiException.isUnavailable(failure)
                && !Bus.isUnanswered(failure, OAuthTokens.Renew.class)
                && !Bus.isUnanswered(failure, Pieces.IssueToken.class);
    }

    private boolean isAlive(SealedConnection connection) {
        var value = connection.open(box);
        return connection.type() == ConnectionType.CUSTOM_AUTH
                ? PieceToken.isAlive(value, clock.instant())
                : TokenExchange.isAlive(value, clock.instant());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
