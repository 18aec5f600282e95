package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Records changes of tests as changes of their flow, in the transaction of the change. Payloads are left out. */
final class FlowTestAudit {
    private final AuditLog auditLog;

    FlowTestAudit(AuditLog auditLog) {
        this.auditLog = auditLog;
    }

    Future<Void> saved(Tx tx, Principal by, FlowWithVersion flow, FlowTestCase test) {
        return record(
                tx,
                by,
                flow,
                "SAVE_TEST",
                Json.object().put("testId", test.id()).put("name", test.name()));
    }

    Future<Void> deleted(Tx tx, Principal by, FlowWithVersion flow, String testId) {
        return record(tx, by, flow, "DELETE_TEST", Json.object().put("testId", testId));
    }

    private Future<Void> record(Tx tx, Principal by, FlowWithVersion changed, String type, ObjectNode request) {
        var flow = changed.flow();
        var version = changed.version();
        var data = Json.object();
        data.putObject("flow")
                .put("id", flow.id())
                .put("externalId", flow.externalId())
                .put("created", Json.timestamp(flow.created()))
                .put("updated", Json.timestamp(flow.updated()));
        data.putObject("flowVersion")
                .put("id", version.id())
                .put("displayName", version.displayName())
                .put("flowId", version.flowId())
                .put("created", Json.timestamp(version.created()))
                .put("updated", Json.timestamp(version.updated()));
        data.putObject("request").put("type", type).set("request", request);
        return auditLog.record(tx, ApplicationEvent.inProject(EventAction.FLOW_UPDATED, by, flow.projectId(), data));
    }
}
