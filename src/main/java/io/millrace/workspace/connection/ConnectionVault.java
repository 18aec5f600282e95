package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.UnreadableSecretException;
import io.millrace.workspace.connection.credential.ConnectionSecrets;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.SealedConnection;
import io.millrace.workspace.connection.credential.SealedValueStore;
import io.millrace.workspace.connection.credential.TokenRenewal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives values to runs, renewed when they are due (contract flows-and-engine 7.6, admin-api 7.9).
 *
 * <p>Sealed values are cached for a few seconds; a value is opened per call and not kept open. A change on any node clears
 * the cache. All calls run on the event loop of the persistence verticle.
 */
public final class ConnectionVault implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionVault.class);

    private static final Duration KEPT_FOR = Duration.ofSeconds(5);
    private static final int KEPT_MAX = 10_000;

    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final TokenRenewal renewal;
    private final ConnectionSecrets secrets;
    private final InstantSource clock;
    private final SealedValueStore store = new SealedValueStore();
    private final Cache<Name, SealedConnection> kept;
    private long changes;

    private record Name(String projectId, String externalId) {}

    ConnectionVault(
            Bus bus,
            Database database,
            SecretBox box,
            TokenRenewal renewal,
            ConnectionSecrets secrets,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.renewal = renewal;
        this.secrets = secrets;
        this.clock = clock;
        this.kept =
                Caches.living("connection.values", KEPT_MAX, KEPT_FOR, clock).build();
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Connections.Use.class, this::use);
        bus.serve(Connections.FindStatuses.class, this::findStatuses);
        bus.on(Connections.ValuesChanged.class, _ -> forget());
    }

    void forget() {
        changes++;
        kept.invalidateAll();
    }

    private Future<Map<String, ConnectionStatus>> findStatuses(Connections.FindStatuses ask) {
        return database.read(tx -> store.findForProject(tx, ask.projectId(), ask.externalIds()))
                .map(rows -> rows.stream()
                        .collect(Collectors.toMap(
                                SealedConnection::externalId, SealedConnection::status, (first, _) -> first)));
    }

    private Future<Map<String, ConnectionUse>> use(Connections.Use ask) {
        var found = new HashMap<String, SealedConnection>();
        var unread = new HashSet<String>();
        for (var externalId : ask.externalIds()) {
            var known = kept.getIfPresent(new Name(ask.projectId(), externalId));
            if (known != null) {
                found.put(externalId, known);
            } else {
                unread.add(externalId);
            }
        }
        return unread.isEmpty()
                ? opened(ask, found)
                : read(ask.projectId(), unread, found).compose(_ -> opened(ask, found));
    }

    private Future<Void> read(String projectId, Set<String> externalIds, Map<String, SealedConnection> found) {
        var changesBefore = changes;
        return database.read(tx -> store.findForProject(tx, projectId, externalIds))
                .map(rows -> {
                    rows.forEach(row -> found.put(row.externalId(), row));
                    if (changes == changesBefore) {
                        rows.forEach(row -> kept.put(new Name(projectId, row.externalId()), row));
                    }
                    return null;
                });
    }

    private Future<Map<String, ConnectionUse>> opened(Connections.Use ask, Map<String, SealedConnection> found) {
        var uses = new HashMap<String, ConnectionUse>();
        var all = ask.externalIds().stream()
                .map(name -> use(found.get(name))
                        .compose(use -> whole(use, ask.projectId(), found.get(name)))
                        .onSuccess(use -> uses.put(name, use)))
                .toList();
        return Future.all(List.copyOf(all)).map(uses);
    }

    private Future<ConnectionUse> use(SealedConnection connection) {
        if (connection == null || connection.status() == ConnectionStatus.MISSING) {
            return Future.succeededFuture(new ConnectionUse.NotFound());
        }
        if (connection.status() == ConnectionStatus.ERROR) {
            return Future.succeededFuture(new ConnectionUse.Expired());
        }
        if (!connection.isDue(clock.instant())) {
            return Future.succeededFuture(opened(connection));
        }
        return renewal.renewed(connection)
                .map(outcome -> switch (outcome) {
                    case TokenRenewal.Outcome.Current(var current) -> opened(current);
                    case TokenRenewal.Outcome.Refused() -> new ConnectionUse.Expired();
                    case TokenRenewal.Outcome.Failed _ -> new ConnectionUse.Unloadable();
                })
                .recover(failure -> {
                    if (ApiException.isUnavailable(failure)) {
                        return Future.failedFuture(failure);
                    }
                    LOG.warn("cannot renew connection {}", connection.id(), failure);
                    return Future.succeededFuture(new ConnectionUse.Unloadable());
                })
                .onComplete(_ -> forget());
    }

    private Future<ConnectionUse> whole(ConnectionUse use, String projectId, SealedConnection connection) {
        if (!(use instanceof ConnectionUse.Usable(var value, var pieceName))) {
            return Future.succeededFuture(use);
        }
        return secrets.in(connection.platformId(), Optional.of(projectId), value)
                .<ConnectionUse>map(whole -> new ConnectionUse.Usable(whole, pieceName))
                .recover(failure -> {
                    LOG.warn("connection {}: {}", connection.id(), failure.getMessage());
                    return failure instanceof ApiException refused && !ApiException.isUnavailable(failure)
                            ? Future.succeededFuture(new ConnectionUse.Unresolved(refused.text()))
                            : Future.failedFuture(failure);
                });
    }

    private ConnectionUse opened(SealedConnection connection) {
        try {
            return new ConnectionUse.Usable(
                    forOthers(connection.open(box)), connection.piece().name());
        } catch (UnreadableSecretException unreadable) {
            LOG.error("connection {}: {}", connection.id(), unreadable.getMessage());
            return new ConnectionUse.Unloadable();
        }
    }

    /** Removes the credentials that renew a token; they stay on the server (contract admin-api 7.9). */
    static ObjectNode forOthers(ObjectNode value) {
        value.remove(List.of("refresh_token", "client_secret"));
        return value;
    }
}
