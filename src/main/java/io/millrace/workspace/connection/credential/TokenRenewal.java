package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.base.secret.SecretBox;
import io.millrace.workspace.oauth.OAuthApps;
import io.millrace.workspace.oauth.OAuthFailure;
import io.millrace.workspace.oauth.OAuthTokens;
import io.millrace.workspace.oauth.TokenExchange;
import io.vertx.core.Future;
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

    /** Result of the renewal of a token. */
    public sealed interface Outcome {
        /** The value is usable: renewed by any node, or not yet expired. */
        record Current(SealedConnection connection) implements Outcome {}

        /** The provider has refused; the connection is in status ERROR. */
        record Refused() implements Outcome {}

        /** No decisive answer of the provider; a later attempt may succeed. */
        record Failed(String reason) implements Outcome {}
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

    public Future<Outcome> renewed(SealedConnection connection) {
        var waitedFor = underWay.get(connection.id());
        if (waitedFor != null) {
            return waitedFor;
        }
        var attempt = attempt(connection, WAIT_FOR_OTHERS.toMillis() / LOOK_AGAIN_MS);
        underWay.put(connection.id(), attempt);
        return attempt.onComplete(_ -> underWay.remove(connection.id(), attempt));
    }

    private Future<Outcome> attempt(SealedConnection connection, long looksLeft) {
        var claim = Ids.next();
        return database.inTransaction(tx -> store.claim(tx, connection, claim))
                .compose(mine -> mine ? renew(connection, claim) : afterOthers(connection, looksLeft));
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
            return looksLeft == 0
                    ? Future.succeededFuture(new Outcome.Failed("another node is renewing its token"))
                    : vertx.timer(LOOK_AGAIN_MS).compose(_ -> attempt(now, looksLeft - 1));
        });
    }

    private Future<Outcome> renew(SealedConnection connection, String claim) {
        var value = connection.open(box);
        return secrets.in(connection.platformId(), connection.projectId(), value)
                .compose(whole -> clientSecret(connection, whole)
                        .compose(secret ->
                                bus.ask(new OAuthTokens.Renew(whole, secret), OAuthTokens.DEADLINE.toMillis())))
                .map(renewed -> ConnectionSecrets.withReferencesOf(value, renewed))
                .compose(renewed -> keep(connection, renewed))
                .recover(failure -> failed(connection, claim, failure));
    }

    /** The secret of a user's client is stored in the value; that of the platform's client is looked up. */
    private Future<String> clientSecret(SealedConnection connection, ObjectNode value) {
        if (connection.type() == ConnectionType.OAUTH2) {
            return Future.succeededFuture(value.path("client_secret").asText());
        }
        var clientId = value.path("client_id").asText();
        return bus.ask(
                        new OAuthApps.FindSecret(connection.platformId(), connection.pieceName(), clientId),
                        SECRET_DEADLINE_MS)
                .map(Optional::orElseThrow);
    }

    /**
     * Retried while the database is unreachable: a provider that rotates refresh tokens no longer accepts the old one. The
     * write does not depend on the claim, which may have expired meanwhile, but on the old value, under any encryption key: a
     * refusal that another node got for it is replaced.
     */
    private Future<Outcome> keep(SealedConnection connection, ObjectNode renewed) {
        var sealed = SealedConnection.seal(box, connection.id(), renewed);
        var due = TokenExchange.renewalDue(renewed);
        return retry.perform(
                        KEPT_FOR,
                        () -> false,
                        () -> database.inTransaction(
                                tx -> store.renew(tx, connection.id(), connection.value(), now(), sealed, due)))
                .compose(kept -> kept
                        ? Future.succeededFuture(new Outcome.Current(connection.with(sealed, due)))
                        : afterOthers(connection, 0));
    }

    private Future<Outcome> failed(SealedConnection connection, String claim, Throwable failure) {
        if (failure instanceof OAuthFailure refused && refused.kind() == OAuthFailure.Kind.REFUSED) {
            // The provider's message is not logged: it may echo the request.
            LOG.warn("the provider refused a new token for connection {}", connection.id());
            return database.inTransaction(tx -> store.fail(tx, connection.id(), claim, now()))
                    .map(new Outcome.Refused());
        }
        LOG.warn("cannot renew connection {} now: {}", connection.id(), failure.getMessage());
        return database.inTransaction(tx -> store.giveUp(tx, connection.id(), claim))
                .map(
                        isAlive(connection)
                                ? new Outcome.Current(connection)
                                : new Outcome.Failed(
                                        failure instanceof OAuthFailure
                                                ? failure.getMessage()
                                                : "its token could not be renewed"));
    }

    private boolean isAlive(SealedConnection connection) {
        return TokenExchange.isAlive(connection.open(box), clock.instant());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
