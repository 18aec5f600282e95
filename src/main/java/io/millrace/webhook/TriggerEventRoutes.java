package io.millrace.webhook;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.bus.Bus;
import io.millrace.core.Ids;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.millrace.webhook.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;

/** Reading samples of triggers over HTTP (contract flows-and-engine 18.8). */
public final class TriggerEventRoutes implements HttpModule {
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
    }

    private static TriggerEvents.Find read(Input input) {
        var query = input.query();
        return new TriggerEvents.Find(
                query.text("projectId", Ids.PATTERN), query.text("flowId", Ids.PATTERN), query.page(PAGE_LIMIT));
    }

    private Future<Reply> list(Call call, TriggerEvents.Find find) {
        return bus.ask(find, call.deadlineMs()).map(page -> Reply.page(page, TriggerEvent::toJson));
    }
}
