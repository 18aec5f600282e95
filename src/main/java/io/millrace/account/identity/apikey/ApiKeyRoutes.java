package io.millrace.account.identity.apikey;

import io.millrace.base.access.Access;
import io.millrace.base.access.KeyScopes;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.Page;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Routes of API keys (contract admin-api 20). A key may not manage keys. */
public final class ApiKeyRoutes implements RouteGroup {
    private final Bus bus;

    public ApiKeyRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdminUsers();
        routes.post("/v1/api-keys", access, NewKey::read, this::create);
        routes.get("/v1/api-keys", access, _ -> true, (call, _) -> list(call));
        routes.delete("/v1/api-keys/:id", access, input -> input.id("id"), this::delete);
    }

    private record NewKey(String displayName, KeyScopes scopes, Optional<Instant> expiresAt) {
        static NewKey read(Input input) {
            var body = input.body().orNull();
            return new NewKey(body.text("displayName"), readScopes(body), body.optionalInstant("expiresAt"));
        }

        /** Rejects an empty list of scopes: the key would permit no request. */
        private static KeyScopes readScopes(Fields body) {
            var words = body.optionalTexts("scopes");
            if (words.isEmpty()) {
                return KeyScopes.ALL;
            }
            var index = 0;
            for (var word : words.get()) {
                if (!KeyScopes.known().contains(word)) {
                    body.refuse(
                            "scopes/" + index,
                            "Invalid option: expected a permission, READ_PLATFORM or WRITE_PLATFORM");
                }
                index++;
            }
            if (index == 0) {
                body.refuse("scopes", "Too small: expected array to have >=1 items");
            }
            return new KeyScopes(Set.copyOf(words.get()));
        }
    }

    private Future<ApiReply> create(ApiCall call, NewKey key) {
        return bus.ask(
                        new ApiKeys.Create(call.principal(), key.displayName(), key.scopes(), key.expiresAt()),
                        call.deadlineMs())
                .map(issued -> ApiReply.created(issued.key().toJson().put("value", issued.value())));
    }

    private Future<ApiReply> list(ApiCall call) {
        return bus.ask(new ApiKeys.ListAll(call.principal()), call.deadlineMs())
                .map(keys -> ApiReply.page(Page.whole(keys), ApiKey::toJson));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new ApiKeys.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }
}
