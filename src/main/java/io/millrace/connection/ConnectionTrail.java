package io.millrace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.Principal;
import io.millrace.audit.ApplicationEvent;
import io.millrace.audit.AuditTrail;
import io.millrace.audit.EventAction;
import io.millrace.core.Json;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;

/** Records what is done to connections in the transaction that does it (contract admin-api 21). */
final class ConnectionTrail {
    private final AuditTrail trail;

    ConnectionTrail(AuditTrail trail) {
        this.trail = trail;
    }

    /** Answers the connection. */
    Future<AppConnection> upserted(Tx tx, Principal by, AppConnection connection) {
        return record(tx, EventAction.CONNECTION_UPSERTED, by, connection);
    }

    /** Answers the connection. */
    Future<AppConnection> deleted(Tx tx, Principal by, AppConnection connection) {
        return record(tx, EventAction.CONNECTION_DELETED, by, connection);
    }

    private Future<AppConnection> record(Tx tx, EventAction action, Principal by, AppConnection connection) {
        var event = connection.scope() == ConnectionScope.PROJECT
                ? ApplicationEvent.inProject(action, by, connection.projectIds().getFirst(), data(connection))
                : ApplicationEvent.onPlatform(action, by, data(connection));
        return trail.record(tx, event).map(connection);
    }

    private static ObjectNode data(AppConnection connection) {
        var data = Json.object();
        data.putObject("connection")
                .put("id", connection.id())
                .put("displayName", connection.displayName())
                .put("externalId", connection.externalId())
                .put("pieceName", connection.pieceName())
                .put("status", connection.status().name())
                .put("type", connection.type().name())
                .put("created", Json.timestamp(connection.created()))
                .put("updated", Json.timestamp(connection.updated()));
        return data;
    }
}
