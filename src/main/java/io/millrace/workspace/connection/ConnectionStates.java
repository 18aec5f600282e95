package io.millrace.workspace.connection;

import io.millrace.base.access.Principal;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.ConnectionType;
import io.millrace.workspace.connection.credential.SealedConnection;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Connections of a project by their names, for the module above, whose transactions it shares (contract admin-api 11). Values
 * are neither exported nor imported: a missing connection becomes a placeholder that a user fills later.
 */
public final class ConnectionStates {
    private final ConnectionParts parts;
    private final SecretBox box;
    private final RowBound bound;

    ConnectionStates(ConnectionParts parts, SecretBox box, RowBound bound) {
        this.parts = parts;
        this.box = box;
        this.bound = bound;
    }

    public record StoredConnection(String id, ConnectionState state, ConnectionScope scope, ConnectionStatus status) {}

    /** Connections of a project, oldest first; its own connection hides a global one of the same external id. */
    public Future<List<StoredConnection>> of(Tx tx, String projectId) {
        return parts.stores().connections().ofProject(tx, projectId).map(connections -> {
            var held = new LinkedHashMap<String, StoredConnection>();
            for (var connection : connections) {
                if (connection.scope() == ConnectionScope.PROJECT || !held.containsKey(connection.externalId())) {
                    held.put(connection.externalId(), heldOf(connection));
                }
            }
            return List.copyOf(held.values());
        });
    }

    private static StoredConnection heldOf(AppConnection connection) {
        return new StoredConnection(
                connection.id(),
                new ConnectionState(connection.externalId(), connection.pieceName(), connection.displayName()),
                connection.scope(),
                connection.status());
    }

    public Future<AppConnection> makePlace(
            Tx tx, Principal by, String projectId, ConnectionState state, String pieceVersion) {
        var now = parts.now();
        var connection = new AppConnection(
                Ids.next(),
                now,
                now,
                state.externalId(),
                state.displayName(),
                ConnectionType.NO_AUTH,
                ConnectionScope.PROJECT,
                ConnectionStatus.MISSING,
                state.pieceName(),
                pieceVersion,
                by.platform(),
                List.of(projectId),
                by.actingUser(),
                null,
                null,
                false,
                false);
        var value = Json.object().put("type", ConnectionType.NO_AUTH.name());
        var secret = new ConnectionStore.Secret(SealedConnection.seal(box, connection.id(), value), Optional.empty());
        return parts.stores()
                .connections()
                .insert(tx, connection, secret, bound)
                .map(connection);
    }

    public Future<AppConnection> rename(Tx tx, StoredConnection held, String displayName) {
        return parts.stores()
                .connections()
                .find(tx, held.id())
                .map(Optional::orElseThrow)
                .compose(connection -> parts.stores()
                        .connections()
                        .update(
                                tx,
                                connection.id(),
                                parts.now(),
                                displayName,
                                connection.metadata(),
                                connection.preSelectForNewProjects())
                        .compose(_ -> parts.stores().connections().find(tx, connection.id())))
                .map(Optional::orElseThrow);
    }

    /** Records created and renamed connections; the last statement of the transaction. */
    public Future<Void> record(Tx tx, Principal by, List<AppConnection> connections) {
        var recorded = Future.<Void>succeededFuture();
        for (var connection : connections) {
            recorded = recorded.compose(
                    _ -> parts.auditLog().upserted(tx, by, connection).mapEmpty());
        }
        return recorded;
    }

    /** Publishes created and renamed connections after the commit. */
    public void announce(List<AppConnection> connections) {
        connections.forEach(parts::announce);
    }
}
