package io.millrace.base.monitoring;

import io.millrace.base.access.Access;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Probes of liveness and readiness, at the root of the host. */
public final class HealthRoutes implements RouteGroup {
    private final Readiness readiness;

    public HealthRoutes(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public void mount(Routes routes) {
        var root = routes.onlyAtRoot();
        root.get(Probes.LIVE, Access.everybody(), _ -> true, (_, _) -> Future.succeededFuture(Probes.live()));
        root.get(Probes.READY, Access.everybody(), _ -> true, (_, _) -> Probes.ready(readiness));
    }
}
