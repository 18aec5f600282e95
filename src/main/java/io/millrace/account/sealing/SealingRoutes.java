package io.millrace.account.sealing;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of the encryption key, for administrators. Keys themselves are never shown. */
public final class SealingRoutes implements RouteGroup {
    /** Long, because there may be many secrets. */
    private static final long ROTATION_DEADLINE_MS = 600_000;

    private final Bus bus;

    public SealingRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdminUsers();
        routes.get("/v1/encryption-key", access, _ -> true, (call, _) -> answer(new Sealing.Show(), call.deadlineMs()));
        routes.post(
                "/v1/encryption-key/rotate",
                access,
                _ -> true,
                (_, _) -> answer(new Sealing.Rotate(), ROTATION_DEADLINE_MS));
    }

    private Future<ApiReply> answer(BusRequest<SealingState> ask, long deadlineMs) {
        return bus.ask(ask, deadlineMs).map(state -> ApiReply.ok(state.toJson()));
    }
}
