package io.millrace.identity;

import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.core.Page;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;

/** Routes of API keys (contract admin-api 20). A key may not manage keys. */
public final class ApiKeyRoutes implements HttpModule {
    private final Bus bus;

    public ApiKeyRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdminUsers();
        routes.post("/v1/api-keys", access, input -> input.body().text("displayName"), this::create);
        routes.get("/v1/api-keys", access, _ -> true, (call, _) -> list(call));
        routes.delete("/v1/api-keys/:id", access, input -> input.id("id"), this::delete);
    }

    private Future<Reply> create(Call call, String displayName) {
        return bus.ask(new ApiKeys.Create(call.principal(), displayName), call.deadlineMs())
                .map(issued -> Reply.created(issued.key().toJson().put("value", issued.value())));
    }

    private Future<Reply> list(Call call) {
        return bus.ask(new ApiKeys.ListAll(call.principal()), call.deadlineMs())
                .map(keys -> Reply.page(Page.whole(keys), ApiKey::toJson));
    }

    private Future<Reply> delete(Call call, String id) {
        return bus.ask(new ApiKeys.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> Reply.okEmpty());
    }
}
