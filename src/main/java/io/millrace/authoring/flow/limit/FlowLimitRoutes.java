package io.millrace.authoring.flow.limit;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** HTTP API of the limits of a flow: our own addition to the contract (decision 0035). */
public final class FlowLimitRoutes implements RouteGroup {
    private final Bus bus;

    public FlowLimitRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/flows/:id/limits", ofFlow(Permission.READ_FLOW), input -> input.id("id"), this::get);
        routes.post("/v1/flows/:id/limits", ofFlow(Permission.WRITE_FLOW), FlowLimitRoutes::readPut, this::put);
    }

    private static Access ofFlow(Permission permission) {
        return Access.projectOfRow(permission, Flows.ProjectOf::new);
    }

    private Future<ApiReply> get(ApiCall call, String flowId) {
        return bus.ask(new FlowLimits.Get(flowId), call.deadlineMs()).map(limit -> ApiReply.ok(limit.toJson()));
    }

    private static FlowLimits.Put readPut(Input input) {
        return new FlowLimits.Put(input.id("id"), FlowLimit.read(input.body()));
    }

    private Future<ApiReply> put(ApiCall call, FlowLimits.Put put) {
        return bus.ask(put, call.deadlineMs()).map(limit -> ApiReply.ok(limit.toJson()));
    }
}
