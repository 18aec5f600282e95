package io.millrace.workspace.project.alert;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of alerts, for users only (contract admin-api 24). */
public final class AlertRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int PAGE_LIMIT_MAX = 100;

    private final Bus bus;

    public AlertRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var write = Permission.WRITE_ALERT;
        routes.get(
                "/v1/alerts", Access.projectUsersInQuery(Permission.READ_ALERT), AlertRoutes::readListOf, this::list);
        routes.post("/v1/alerts", Access.projectUsersInBody(write), AlertRoutes::readCreate, this::create);
        routes.delete(
                "/v1/alerts/:id",
                Access.projectUsersOfRow(write, Alerts.ProjectOf::new),
                input -> new Alerts.Delete(input.id("id")),
                this::delete);
    }

    private static Alerts.ListOf readListOf(Input input) {
        var query = input.query();
        query.optionalInteger("limit", 1, PAGE_LIMIT_MAX);
        return new Alerts.ListOf(query.text("projectId", Ids.PATTERN), query.page(PAGE_LIMIT_DEFAULT));
    }

    private static Alerts.Create readCreate(Input input) {
        var body = input.body();
        body.option("channel", Alert.Channel.class);
        return new Alerts.Create(body.text("projectId", Ids.PATTERN), body.email("receiver"));
    }

    private Future<ApiReply> list(ApiCall call, Alerts.ListOf ask) {
        return bus.ask(ask, call.deadlineMs()).map(page -> ApiReply.page(page, Alert::toJson));
    }

    private Future<ApiReply> create(ApiCall call, Alerts.Create ask) {
        return bus.ask(ask, call.deadlineMs()).map(alert -> ApiReply.ok(alert.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, Alerts.Delete ask) {
        return bus.ask(ask, call.deadlineMs()).map(_ -> ApiReply.okEmpty());
    }
}
