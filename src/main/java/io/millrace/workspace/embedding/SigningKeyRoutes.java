package io.millrace.workspace.embedding;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Page;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
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

    private Future<ApiReply> create(ApiCall call, String displayName) {
        return bus.ask(new SigningKeys.Create(call.principal(), displayName), call.deadlineMs())
                .map(issued -> ApiReply.created(issued.key().toJson().put("privateKey", issued.privateKey())));
    }

    private Future<ApiReply> list(ApiCall call) {
        return bus.ask(new SigningKeys.ListAll(call.principal()), call.deadlineMs())
                .map(keys -> ApiReply.page(Page.whole(keys), SigningKey::toJson));
    }

    private Future<ApiReply> find(ApiCall call, String id) {
        return bus.ask(new SigningKeys.Find(call.principal(), id), call.deadlineMs())
                .map(key -> ApiReply.ok(key.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new SigningKeys.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }
}
