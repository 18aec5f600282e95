package io.millrace.embedding;

import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.millrace.identity.SignInLimit;
import io.vertx.core.Future;

/** Route of managed authentication (contract admin-api 14). */
public final class ManagedSignInRoutes implements HttpModule {
    private final Bus bus;
    private final SignInLimit limit;

    /** @param limit shared with the other ways to sign in */
    public ManagedSignInRoutes(Bus bus, SignInLimit limit) {
        this.bus = bus;
        this.limit = limit;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/managed-authn/external-token",
                Access.everybody(),
                input -> input.body().text("externalAccessToken"),
                this::enter);
    }

    private Future<Reply> enter(Call call, String token) {
        limit.admit(call.context());
        return bus.ask(new ManagedSignIns.Enter(call.principal(), token), call.deadlineMs())
                .map(session -> Reply.ok(session.toJson()));
    }
}
