package io.millrace.workspace.authorizationserver;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Audit entries of grants that the server itself revokes. */
final class GrantAudit {
    private final AuditLog auditLog;

    GrantAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    enum ReusedCredential {
        AUTHORIZATION_CODE_REUSED,
        REFRESH_TOKEN_REUSED
    }

    /** @param presenter client that presented the credential; another client's name is not recorded */
    Future<Void> revoked(Tx tx, Grant grant, OAuthClient presenter, ReusedCredential reason) {
        var name = presenter.id().equals(grant.clientId()) ? presenter.name() : Optional.<String>empty();
        var data = Json.object();
        data.putObject("grant")
                .put("id", grant.id())
                .put("clientId", grant.clientId())
                .put("clientName", name.orElse(null))
                .put("redirectUri", grant.redirectUri())
                .put("projectId", grant.projectId().orElse(null))
                .put("reason", reason.name());
        return auditLog.record(
                tx,
                new ApplicationEvent(
                        EventAction.MCP_GRANT_REVOKED, grant.platformId(), null, grant.userId(), null, data));
    }
}
