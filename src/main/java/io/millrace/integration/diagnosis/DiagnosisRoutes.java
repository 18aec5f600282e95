package io.millrace.integration.diagnosis;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;

public final class DiagnosisRoutes implements RouteGroup {
    private final Bus bus;

    public DiagnosisRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(
                "/v1/flow-runs/:id/diagnosis",
                Access.projectOfRow(Permission.READ_RUN, RunQueries.ProjectOf::new),
                input -> input.id("id"),
                this::get);
    }

    private Future<ApiReply> get(ApiCall call, String runId) {
        return bus.ask(new Diagnoses.Get(call.principal(), runId), call.deadlineMs())
                .map(ApiReply::ok);
    }
}
