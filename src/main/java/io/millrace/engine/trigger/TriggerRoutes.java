package io.millrace.engine.trigger;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;

/** Testing triggers, and how they fare, over HTTP (contract flows-and-engine 18.7, 18.9). */
public final class TriggerRoutes implements RouteGroup {
    private final Bus bus;
    private final long testDeadlineMs;

    public TriggerRoutes(Bus bus, long testDeadlineMs) {
        this.bus = bus;
        this.testDeadlineMs = testDeadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/test-trigger",
                Access.projectInBody(Permission.WRITE_FLOW),
                TriggerRoutes::readTest,
                (call, test) -> bus.ask(test, testDeadlineMs).map(page -> ApiReply.page(page, TriggerEvent::toJson)));
        routes.delete(
                "/v1/test-trigger",
                Access.projectInBody(Permission.WRITE_FLOW),
                TriggerRoutes::readEnd,
                (_, end) -> bus.ask(end, testDeadlineMs).map(_ -> ApiReply.empty()));
        routes.get("/v1/trigger-runs/status", Access.platform(), _ -> "", this::report);
    }

    private static Triggers.Test readTest(Input input) {
        var body = input.body();
        return new Triggers.Test(
                body.text("projectId", Ids.PATTERN),
                body.text("flowId", Ids.PATTERN),
                body.text("flowVersionId", Ids.PATTERN),
                body.option("testStrategy", Triggers.TestStrategy.class));
    }

    private static Triggers.EndTest readEnd(Input input) {
        var body = input.body();
        return new Triggers.EndTest(body.text("projectId", Ids.PATTERN), body.text("flowId", Ids.PATTERN));
    }

    private Future<ApiReply> report(ApiCall call, String nothing) {
        return bus.ask(new Triggers.Report(call.principal().platform()), call.deadlineMs())
                .map(ApiReply::ok);
    }
}
