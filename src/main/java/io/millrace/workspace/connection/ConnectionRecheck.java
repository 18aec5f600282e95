package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.SealedConnection;
import io.millrace.workspace.connection.credential.SealedValueStore;
import io.millrace.workspace.connection.credential.TokenRenewal;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Checks a saved connection again (contract admin-api 7.5). When the check itself fails, the status is kept. */
final class ConnectionRecheck {
    private final Database database;
    private final SecretBox box;
    private final ConnectionCheck check;
    private final TokenRenewal renewal;
    private final InstantSource clock;
    private final ConnectionStore store;
    private final SealedValueStore values = new SealedValueStore();

    ConnectionRecheck(
            Database database,
            SecretBox box,
            ConnectionCheck check,
            TokenRenewal renewal,
            InstantSource clock,
            ConnectionStore store) {
        this.database = database;
        this.box = box;
        this.check = check;
        this.renewal = renewal;
        this.clock = clock;
        this.store = store;
    }

    /** A placeholder keeps its status. */
    Future<Void> recheck(AppConnection connection) {
        return connection.status() == ConnectionStatus.MISSING
                ? Future.succeededFuture()
                : database.read(tx -> values.find(tx, connection.id()))
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("AppConnection", connection.id())))
                        .compose(this::renewed)
                        .compose(value -> value == null ? Future.succeededFuture() : judge(connection, value));
    }

    /** The value with a valid token; null when the provider has refused, which is recorded already. */
    private Future<ObjectNode> renewed(SealedConnection sealed) {
        if (!sealed.isDue(clock.instant())
                && (sealed.status() == ConnectionStatus.ACTIVE
                        || sealed.refreshDue().isEmpty())) {
            return Future.succeededFuture(sealed.open(box));
        }
        return renewal.renewed(sealed).map(outcome -> switch (outcome) {
            case TokenRenewal.Outcome.Current(var current) -> current.open(box);
            case TokenRenewal.Outcome.Refused() -> null;
            case TokenRenewal.Outcome.Failed(var reason) ->
                throw ApiException.of(ErrorCode.ENGINE_OPERATION_FAILURE, reason);
        });
    }

    private Future<Void> judge(AppConnection connection, ObjectNode value) {
        var asked = new ConnectionCheck.CheckedPiece(
                PieceScope.of(connection.platformId()),
                connection.pieceName(),
                connection.pieceVersion(),
                connection.projectIds().stream().findFirst());
        return check.problemOf(connection.type(), value, asked).compose(problem -> {
            var status = problem.isPresent() ? ConnectionStatus.ERROR : ConnectionStatus.ACTIVE;
            var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            return database.inTransaction(tx -> store.setStatus(tx, connection.id(), now, status));
        });
    }
}
