package io.millrace.account.platform;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.monitoring.Readiness;
import io.millrace.sandbox.isolation.EffectiveIsolation;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Routes of the platform, the flags and the health of the server (contract admin-api 12.1, 18, 19, 30, 31). */
public final class PlatformRoutes implements RouteGroup {
    private static final long HEALTH_DEADLINE_MS = 2_000;
    private static final int UNAVAILABLE = 503;

    private final Bus bus;
    private final Config config;
    private final Flags flags;
    private final Supplier<Future<Boolean>> piecesRun;
    private final Supplier<EffectiveIsolation> isolation;
    private boolean stopping;

    /**
     * @param version release of this server, as shown to clients
     * @param appWebhooks names of the apps whose events can be trusted
     * @param piecesRun true when npm pieces can run
     * @param isolation kernel isolation of processes of pieces and of code; the call may block
     */
    public PlatformRoutes(
            Bus bus,
            Config config,
            String version,
            List<String> appWebhooks,
            List<String> templateCategories,
            Supplier<Future<Boolean>> piecesRun,
            Supplier<EffectiveIsolation> isolation) {
        this.bus = bus;
        this.config = config;
        this.piecesRun = piecesRun;
        this.isolation = isolation;
        this.flags = new Flags(config, version, appWebhooks, templateCategories);
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/platforms/:id", Access.platform(), input -> input.id("id"), this::find);
        routes.postForm(
                "/v1/platforms/:id",
                Access.platformAdminUsers(),
                input -> new Parameters(input.id("id"), PlatformChanges.read(input.body(PlatformChanges.TEXTS))),
                this::update);
        routes.get("/v1/platforms/assets/:id", Access.everybody(), input -> input.id("id"), this::picture);
        routes.post(
                "/v1/platforms/:id/sso-domain/verify",
                Access.platformAdminUsers(),
                input -> input.id("id"),
                this::verifyDomain);
        routes.post(
                "/v1/embed-subdomain/allowed-embed-origins",
                Access.platformServices(),
                input -> EmbedOrigins.readAdded(input.body()),
                this::allowEmbedding);
        routes.get("/v1/platform-configurations", Access.platformUsers(), _ -> true, (call, _) -> configuration(call));
        routes.post(
                "/v1/platform-configurations",
                Access.platformAdminUsers(),
                PlatformRoutes::readTelemetry,
                this::configure);
        routes.get("/v1/flags", Access.everybody(), _ -> true, (call, _) -> flags(call));
        bus.on(Readiness.Stopping.class, _ -> stopping = true);
        routes.get("/v1/health", Access.everybody(), _ -> true, (_, _) -> health());
        routes.get("/v1/health/system", Access.platformAdminUsers(), _ -> true, (call, _) -> systemHealth(call));
    }

    private record Parameters(String platformId, PlatformChanges changes) {}

    private record TelemetryOptions(Optional<Boolean> product, Optional<Boolean> infraSetup) {}

    private static TelemetryOptions readTelemetry(Input input) {
        var body = input.body();
        return new TelemetryOptions(
                body.optionalFlag("isProductTelemetryEnabled"), body.optionalFlag("isInfraSetupTelemetryEnabled"));
    }

    private Future<ApiReply> update(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Platforms.Update(call.principal(), parameters.platformId(), parameters.changes()),
                        call.deadlineMs())
                .map(platform -> ApiReply.ok(platform.toJson()));
    }

    private Future<ApiReply> verifyDomain(ApiCall call, String platformId) {
        return bus.ask(new Platforms.VerifyDomain(call.principal(), platformId), call.deadlineMs())
                .map(platform -> ApiReply.ok(platform.toJson()));
    }

    private Future<ApiReply> allowEmbedding(ApiCall call, List<String> origins) {
        return bus.ask(new Platforms.AllowEmbedding(call.principal(), origins), call.deadlineMs())
                .map(all -> {
                    var json = Json.object();
                    all.forEach(json.putArray("allowedEmbedOrigins")::add);
                    return ApiReply.ok(json);
                });
    }

    private Future<ApiReply> configuration(ApiCall call) {
        return bus.ask(new Platforms.FindConfiguration(call.principal()), call.deadlineMs())
                .map(configuration -> ApiReply.ok(configuration.toJson()));
    }

    private Future<ApiReply> configure(ApiCall call, TelemetryOptions telemetry) {
        return bus.ask(
                        new Platforms.Configure(call.principal(), telemetry.product(), telemetry.infraSetup()),
                        call.deadlineMs())
                .map(configuration -> ApiReply.ok(configuration.toJson()));
    }

    /** An address never changes its image, so it is cached; the headers restrict a browser to images. */
    private Future<ApiReply> picture(ApiCall call, String id) {
        return bus.ask(new Platforms.FindPicture(id), call.deadlineMs()).map(picture -> {
            call.context()
                    .response()
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                    .putHeader("Cache-Control", "public, max-age=31536000, immutable");
            return new ApiReply(200, picture.data(), picture.mediaType());
        });
    }

    private Future<ApiReply> find(ApiCall call, String platformId) {
        return bus.ask(new Platforms.Find(call.principal(), platformId), call.deadlineMs())
                .map(platform -> ApiReply.ok(platform.toJson()));
    }

    private Future<ApiReply> flags(ApiCall call) {
        return bus.ask(new Platforms.Oldest(), call.deadlineMs()).map(platform -> ApiReply.ok(flags.of(platform)));
    }

    /** Health check of load balancers: a stopping server reports unavailable, though it still answers calls. */
    private Future<ApiReply> health() {
        return databaseAnswers()
                .map(answers -> answers && !stopping
                        ? ApiReply.ok(Json.object().put("status", "Healthy"))
                        : ApiReply.json(UNAVAILABLE, Json.object().put("status", "Unhealthy")));
    }

    private Future<ApiReply> systemHealth(ApiCall call) {
        return databaseAnswers()
                .compose(answers -> piecesRun
                        .get()
                        .compose(run -> call.context()
                                .vertx()
                                .executeBlocking(
                                        () -> SystemHealth.measure(
                                                config.storage().data().directory(), answers, run, isolation.get()),
                                        false)))
                .map(health -> ApiReply.ok(health.toJson()));
    }

    /** A failure of any kind counts as unhealthy. */
    private Future<Boolean> databaseAnswers() {
        return bus.ask(new Platforms.CheckDatabase(), HEALTH_DEADLINE_MS)
                .transform(answer -> Future.succeededFuture(answer.succeeded()));
    }
}
