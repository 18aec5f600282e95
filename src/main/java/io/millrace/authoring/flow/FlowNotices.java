package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;

/** Publishes notices of a flow's change after the commit (contract flows-and-engine 3.6, 30). */
final class FlowNotices {
    private final Bus bus;

    FlowNotices(Bus bus) {
        this.bus = bus;
    }

    void created(Principal by, Flows.FlowWithVersion flow) {
        bus.publish(new Flows.Created(by, flow));
    }

    void applied(Flows.Apply apply, FlowStatus before, Flows.FlowWithVersion flow) {
        bus.publish(new Flows.Changed(apply.flowId()));
        bus.publish(new Flows.Updated(apply.by(), flow, apply.request()));
        if (!(apply.operation() instanceof FlowOperation.Publishing publishing)) {
            return;
        }
        var isEnabled = flow.flow().status() == FlowStatus.ENABLED;
        switch (publishing) {
            case FlowOperation.LockAndPublish _ -> {
                bus.publish(new Flows.Published(apply.by(), flow));
                if (isEnabled) {
                    bus.publish(new Flows.Activated(apply.by(), flow));
                } else if (before == FlowStatus.ENABLED) {
                    bus.publish(new Flows.Deactivated(apply.by(), flow));
                }
            }
            case FlowOperation.ChangeStatus _ -> {
                if (before != flow.flow().status()) {
                    bus.publish(
                            isEnabled
                                    ? new Flows.Activated(apply.by(), flow)
                                    : new Flows.Deactivated(apply.by(), flow));
                }
            }
        }
    }

    void deleted(Principal by, Flows.FlowWithVersion flow) {
        bus.publish(new Flows.Changed(flow.flow().id()));
        bus.publish(new Flows.Deleted(by, flow));
    }
}
