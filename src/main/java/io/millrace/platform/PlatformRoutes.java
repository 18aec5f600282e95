package io.millrace.platform;

import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.core.Json;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;

/** Routes of the platform, the flags and the health of the server (contract admin-api 18, 30, 31). */
public final class PlatformRoutes implements HttpModule {
    private static final long HEALTH_DEADLINE_MS = 2_000;
    private static final int UNAVAILABLE = 503;

    private final Bus bus;
    private final Config config;
    private final Flags flags;

    /**
     * @param version release of this server, as clients are told
     */
    public PlatformRoutes(Bus bus, Config config, String version) {
        this.bus = bus;
        this.config = config;
        this.flags = new Flags(config, version);
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/platforms/:id", Access.platform(), input -> input.id("id"), this::find);
        routes.get("/v1/flags", Access.everybody(), _ -> true, (call, _) -> flags(call));
        routes.get("/v1/health", Access.everybody(), _ -> true, (_, _) -> health());
        routes.get("/v1/health/system", Access.platformAdminUsers(), _ -> true, (call, _) -> systemHealth(call));
    }

    private Future<Reply> find(Call call, String platformId) {
        return bus.ask(new Platforms.Find(call.principal(), platformId), call.deadlineMs())
                .map(platform -> Reply.ok(platform.toJson()));
    }

    private Future<Reply> flags(Call call) {
        return bus.ask(new Platforms.Oldest(), call.deadlineMs()).map(platform -> Reply.ok(flags.of(platform)));
    }

    private Future<Reply> health() {
        return databaseAnswers()
                .map(healthy -> healthy
                        ? Reply.ok(Json.object().put("status", "Healthy"))
                        : Reply.json(UNAVAILABLE, Json.object().put("status", "Unhealthy")));
    }

    private Future<Reply> systemHealth(Call call) {
        return databaseAnswers()
                .compose(answers -> call.context()
                        .vertx()
                        .executeBlocking(
                                () -> SystemHealth.measure(config.data().directory(), answers), false))
                .map(health -> Reply.ok(health.toJson()));
    }

    /** A failure of any kind is the answer no. */
    private Future<Boolean> databaseAnswers() {
        return bus.ask(new Platforms.CheckDatabase(), HEALTH_DEADLINE_MS)
                .transform(answer -> Future.succeededFuture(answer.succeeded()));
    }
}
