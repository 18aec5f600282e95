package io.millrace.workspace.embedding;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Page;
import io.millrace.base.http.Call;
import io.millrace.base.http.Reply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of signing keys (contract admin-api 13). */
public final class SigningKeyRoutes implements RouteGroup {
    private static final int NAME_LENGTH_MAX = 255;

    private final Bus bus;

    public SigningKeyRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdminUsers();
        routes.post(
                "/v1/signing-keys",
                access,
                input -> input.body().text("displayName", 1, NAME_LENGTH_MAX),
                this::create);
        routes.get("/v1/signing-keys", access, _ -> true, (call, _) -> list(call));
        routes.get("/v1/signing-keys/:id", access, input -> input.id("id"), this::find);
        routes.delete("/v1/signing-keys/:id", access, input -> input.id("id"), this::delete);
    }

    private Future<Reply> create(Call call, String displayName) {
        return bus.ask(new SigningKeys.Create(call.principal(), displayName), call.deadlineMs())
                .map(issued -> Reply.created(issued.key().toJson().put("privateKey", issued.privateKey())));
    }

    private Future<Reply> list(Call call) {
        return bus.ask(new SigningKeys.ListAll(call.principal()), call.deadlineMs())
                .map(keys -> Reply.page(Page.whole(keys), SigningKey::toJson));
    }

    private Future<Reply> find(Call call, String id) {
        return bus.ask(new SigningKeys.Find(call.principal(), id), call.deadlineMs())
                .map(key -> Reply.ok(key.toJson()));
    }

    private Future<Reply> delete(Call call, String id) {
        return bus.ask(new SigningKeys.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> Reply.okEmpty());
    }
}
