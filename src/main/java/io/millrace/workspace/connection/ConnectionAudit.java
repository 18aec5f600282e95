package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Audit events of connections, recorded in the transaction of the change (contract admin-api 21). */
final class ConnectionAudit {
    private final AuditLog auditLog;

    ConnectionAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    Future<AppConnection> upserted(Tx tx, Principal by, AppConnection connection) {
        return record(tx, EventAction.CONNECTION_UPSERTED, by, connection);
    }

    Future<AppConnection> deleted(Tx tx, Principal by, AppConnection connection) {
        return record(tx, EventAction.CONNECTION_DELETED, by, connection);
    }

    private Future<AppConnection> record(Tx tx, EventAction action, Principal by, AppConnection connection) {
        var event = connection.scope() == ConnectionScope.PROJECT
                ? ApplicationEvent.inProject(action, by, connection.projectIds().getFirst(), data(connection))
                : ApplicationEvent.onPlatform(action, by, data(connection));
        return auditLog.record(tx, event).map(connection);
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
