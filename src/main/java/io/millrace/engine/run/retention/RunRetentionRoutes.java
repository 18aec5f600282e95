package io.millrace.engine.run.retention;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.retention.RunRetentions.Retention;
import io.millrace.engine.run.retention.RunRetentions.Scope;
import io.vertx.core.Future;
import java.util.Optional;

/** HTTP routes for the retention of runs, an extension of the contract (decision 0060). */
public final class RunRetentionRoutes implements RouteGroup {
    private static final String OF_PROJECT = "/v1/projects/:id/retention";
    private static final String OF_FLOW = "/v1/flows/:id/retention";
    private static final String DAYS = "days";

    private final Bus bus;
    private final int daysMax;

    /** @param daysMax retention of the server in days (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public RunRetentionRoutes(Bus bus, int daysMax) {
        this.bus = bus;
        this.daysMax = daysMax;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(
                OF_PROJECT,
                Access.projectInPath(Permission.READ_PROJECT),
                input -> new RunRetentions.Get(new Scope.OfProject(input.id("id"))),
                this::get);
        routes.post(
                OF_PROJECT,
                Access.projectInPath(Permission.WRITE_PROJECT),
                input -> new RunRetentions.Put(new Scope.OfProject(input.id("id")), days(input)),
                this::put);
        routes.get(
                OF_FLOW,
                Access.projectOfRow(Permission.READ_FLOW, Flows.ProjectOf::new),
                input -> new RunRetentions.Get(new Scope.OfFlow(input.id("id"))),
                this::get);
        routes.post(
                OF_FLOW,
                Access.projectOfRow(Permission.WRITE_FLOW, Flows.ProjectOf::new),
                input -> new RunRetentions.Put(new Scope.OfFlow(input.id("id")), days(input)),
                this::put);
    }

    /** A setting above the server's retention would have no effect, so it is refused. */
    private Optional<Integer> days(Input input) {
        var body = input.body().orNull();
        if (!body.has(DAYS)) {
            body.refuse(DAYS, "Invalid input: expected a number of days or null");
        }
        return body.optionalInteger(DAYS, 1, daysMax);
    }

    private Future<ApiReply> get(ApiCall call, RunRetentions.Get ask) {
        return bus.ask(ask, call.deadlineMs()).map(RunRetentionRoutes::reply);
    }

    private Future<ApiReply> put(ApiCall call, RunRetentions.Put ask) {
        return bus.ask(ask, call.deadlineMs()).map(RunRetentionRoutes::reply);
    }

    private static ApiReply reply(Retention kept) {
        return ApiReply.ok(
                Json.object().put(DAYS, kept.days().orElse(null)).put("effectiveDays", kept.effectiveDays()));
    }
}
