package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.DeletionOutbox;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Records changes of a flow in the transaction of the change (contract flows-and-engine 30), and deletions also for the
 * repositories of projects.
 */
final class FlowAudit {
    private final AuditLog auditLog;
    private final DeletionOutbox deletions;

    FlowAudit(AuditLog auditLog, DeletionOutbox deletions) {
        this.auditLog = auditLog;
        this.deletions = deletions;
    }

    Future<Void> created(Tx tx, Principal by, FlowWithVersion flow) {
        var data = flowData(flow);
        data.withObject("/flow").put("displayName", flow.version().displayName());
        return record(tx, EventAction.FLOW_CREATED, by, flow, data);
    }

    Future<Void> deleted(Tx tx, Principal by, FlowWithVersion flow) {
        var deletion = new DeletionOutbox.Deletion(
                DeletionOutbox.Kind.FLOW, flow.flow().projectId(), flow.flow().externalId());
        return deletions
                .add(tx, by, deletion)
                .compose(_ -> record(tx, EventAction.FLOW_DELETED, by, flow, versionData(flow)));
    }

    FlowChangeListener witness(Flows.Apply apply) {
        return (tx, applied) -> applied(tx, apply, applied);
    }

    private Future<Void> applied(Tx tx, Flows.Apply apply, ChangeResult applied) {
        var flow = applied.change().populated();
        var data = versionData(flow);
        data.set("request", apply.request());
        var done = record(tx, EventAction.FLOW_UPDATED, apply.by(), flow, data);
        if (apply.operation() instanceof FlowOperation.Publishing publishing) {
            for (var action :
                    published(publishing, applied.before(), flow.flow().status())) {
                done = done.compose(_ -> record(tx, action, apply.by(), flow, versionData(flow)));
            }
        }
        return done;
    }

    private static List<EventAction> published(
            FlowOperation.Publishing publishing, FlowStatus before, FlowStatus after) {
        var actions = new ArrayList<EventAction>();
        var publishes = publishing instanceof FlowOperation.LockAndPublish;
        if (publishes) {
            actions.add(EventAction.FLOW_PUBLISHED);
        }
        if (after == FlowStatus.ENABLED && (publishes || before != after)) {
            actions.add(EventAction.FLOW_ACTIVATED);
        } else if (after != before) {
            actions.add(EventAction.FLOW_DEACTIVATED);
        }
        return actions;
    }

    private Future<Void> record(Tx tx, EventAction action, Principal by, FlowWithVersion flow, ObjectNode data) {
        return auditLog.record(
                tx, ApplicationEvent.inProject(action, by, flow.flow().projectId(), data));
    }

    private static ObjectNode flowData(FlowWithVersion populated) {
        var flow = populated.flow();
        var data = Json.object();
        data.putObject("flow")
                .put("id", flow.id())
                .put("externalId", flow.externalId())
                .put("created", Json.timestamp(flow.created()))
                .put("updated", Json.timestamp(flow.updated()));
        return data;
    }

    private static ObjectNode versionData(FlowWithVersion populated) {
        var version = populated.version();
        var data = flowData(populated);
        data.putObject("flowVersion")
                .put("id", version.id())
                .put("displayName", version.displayName())
                .put("flowId", version.flowId())
                .put("created", Json.timestamp(version.created()))
                .put("updated", Json.timestamp(version.updated()));
        return data;
    }
}
