package io.millrace.workspace.embedding;

import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.SessionCookie;
import io.vertx.core.Future;

/** Route of managed authentication (contract admin-api 14). */
public final class ManagedSignInRoutes implements RouteGroup {
    private final Bus bus;
    private final SignInLimit limit;
    private final SessionCookie sessions;

    /** @param limit shared with the other ways to sign in */
    public ManagedSignInRoutes(Bus bus, SignInLimit limit, SessionCookie sessions) {
        this.bus = bus;
        this.limit = limit;
        this.sessions = sessions;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/managed-authn/external-token",
                Access.everybody(),
                input -> input.body().text("externalAccessToken"),
                this::enter);
    }

    private Future<ApiReply> enter(ApiCall call, String token) {
        limit.admit(call.context());
        return bus.ask(new ManagedSignIns.Enter(call.principal(), token), call.deadlineMs())
                .map(session -> sessions.answer(call.context(), session.toJson()));
    }
}
