package io.millrace.engine.trigger.event;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;

/** Samples of triggers over HTTP (contract flows-and-engine 18.8). */
public final class TriggerEventRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;

    private final Bus bus;

    public TriggerEventRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(
                "/v1/trigger-events",
                Access.projectInQuery(Permission.READ_FLOW),
                TriggerEventRoutes::read,
                this::list);
        routes.post(
                "/v1/trigger-events",
                Access.projectInBody(Permission.WRITE_FLOW),
                TriggerEventRoutes::readMock,
                this::saveMock);
    }

    private static TriggerEvents.SaveMock readMock(Input input) {
        var body = input.body();
        return new TriggerEvents.SaveMock(
                body.text("projectId", Ids.PATTERN),
                body.text("flowId", Ids.PATTERN),
                input.rawBody().path("mockData").isMissingNode() ? Json.object() : body.raw("mockData"));
    }

    private Future<ApiReply> saveMock(ApiCall call, TriggerEvents.SaveMock mock) {
        return bus.ask(mock, call.deadlineMs()).map(event -> ApiReply.ok(event.toJson()));
    }

    private static TriggerEvents.Find read(Input input) {
        var query = input.query();
        return new TriggerEvents.Find(
                query.text("projectId", Ids.PATTERN), query.text("flowId", Ids.PATTERN), query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, TriggerEvents.Find find) {
        return bus.ask(find, call.deadlineMs()).map(page -> ApiReply.page(page, TriggerEvent::toJson));
    }
}
