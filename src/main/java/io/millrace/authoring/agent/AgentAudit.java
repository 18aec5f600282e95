package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;

/** Records changes of an agent in the transaction of the change (contract agents 1.3, events). */
final class AgentAudit {
    private static final int DIGEST_LENGTH = 16;

    private final AuditLog auditLog;

    AgentAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    Future<Void> record(Tx tx, EventAction action, Principal by, SavedAgent agent) {
        return record(tx, action, by, agent, dataOf(agent));
    }

    /** Records the publication with a digest of the config, which makes configs comparable without disclosing them. */
    Future<Void> published(Tx tx, Principal by, SavedAgent agent) {
        var config = agent.published().orElseThrow();
        var data = dataOf(agent);
        data.withObjectProperty("agent")
                .put("publishedDigest", Hashes.sha256Hex(Json.text(config)).substring(0, DIGEST_LENGTH));
        var names = data.withObjectProperty("agent").putArray("publishedToolNames");
        config.path("tools").forEach(tool -> names.add(tool.path("toolName").asText()));
        return record(tx, EventAction.AGENT_PUBLISHED, by, agent, data);
    }

    private static ObjectNode dataOf(SavedAgent agent) {
        var data = Json.object();
        data.putObject("agent").put("id", agent.id()).put("displayName", agent.displayName());
        return data;
    }

    private Future<Void> record(Tx tx, EventAction action, Principal by, SavedAgent agent, ObjectNode data) {
        return auditLog.record(tx, ApplicationEvent.inProject(action, by, agent.projectId(), data));
    }
}
