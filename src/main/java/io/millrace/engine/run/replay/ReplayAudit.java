package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Run;
import io.vertx.core.Future;
import java.util.Locale;

/** Records replays in the transaction that inserts them. Inputs are left out. */
final class ReplayAudit {
    private final AuditLog auditLog;

    ReplayAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    Future<Void> started(Tx tx, Replays.Start ask, Run run) {
        var data = Json.object();
        data.putObject("flowRun")
                .put("id", run.id())
                .put("created", Json.timestamp(run.created()))
                .put("flowId", run.flowId())
                .put("flowVersionId", run.flowVersionId())
                .put("environment", run.environment().name())
                .put("status", run.status().name());
        var extent = ask.extent();
        var request = data.putObject("request")
                .put("replayOf", ask.runId())
                .put("step", extent.step())
                .put("version", extent.version().name().toLowerCase(Locale.ROOT))
                .put("inputReplaced", extent.input().isPresent());
        putEffects(request, extent.effects());
        return auditLog.record(
                tx, ApplicationEvent.inProject(EventAction.FLOW_RUN_REPLAYED, ask.by(), run.projectId(), data));
    }

    /** As in the request: {@code perform}, {@code recorded}, or the names of the steps that are executed. */
    private static void putEffects(ObjectNode request, Replays.Effects effects) {
        if (effects.all() || effects.named().isEmpty()) {
            request.put("effects", effects.all() ? "perform" : "recorded");
        } else {
            effects.named().stream().sorted().forEach(request.putArray("effects")::add);
        }
    }
}
