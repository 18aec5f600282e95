package io.millrace.base.cluster;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** The nodes on one database, for administrators and probes. */
public final class WorkerMachineRoutes implements RouteGroup {
    private final Bus bus;

    public WorkerMachineRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/worker-machines", Access.platformAdminUsers(), _ -> new Cluster.FindNodes(), this::find);
        routes.get("/v1/health/live", Access.everybody(), _ -> true, (_, _) -> live());
    }

    private Future<ApiReply> find(ApiCall call, Cluster.FindNodes ask) {
        return bus.ask(ask, call.deadlineMs()).map(nodes -> {
            var json = Json.array();
            nodes.forEach(node -> json.add(node.toJson()));
            return ApiReply.ok(json);
        });
    }

    /** The response itself shows that an event loop is alive; {@code /v1/health} reports readiness for calls. */
    private static Future<ApiReply> live() {
        return Future.succeededFuture(ApiReply.ok(Json.object().put("status", "Healthy")));
    }
}
