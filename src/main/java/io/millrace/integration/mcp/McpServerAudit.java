package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Records changes of MCP servers in the transaction of the change. */
final class McpServerAudit {
    private final AuditLog auditLog;

    McpServerAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    Future<Void> record(Tx tx, EventAction action, Principal by, CustomServer server) {
        var data = Json.object().put("id", server.id()).put("displayName", server.displayName());
        return record(tx, action, by, server.projectId(), data);
    }

    /** The server that each project has; it has no name. */
    Future<Void> record(Tx tx, EventAction action, Principal by, McpServer server) {
        return record(tx, action, by, server.projectId(), Json.object().put("id", server.id()));
    }

    private Future<Void> record(Tx tx, EventAction action, Principal by, String projectId, ObjectNode server) {
        var data = Json.object();
        data.set("mcpServer", server);
        return auditLog.record(tx, ApplicationEvent.inProject(action, by, projectId, data));
    }
}
