package io.millrace.engine.run.query;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;

/** Metrics for Prometheus. An extension: the contract names no such route. */
public final class RunMetricsRoutes implements RouteGroup {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final Bus bus;
    private final RunMeters meters;
    private final PrometheusMeterRegistry registry;
    private final boolean isCounting;

    /** @param isCounting whether metrics are enabled (AP_METRICS_ENABLED) */
    public RunMetricsRoutes(Bus bus, RunMeters meters, PrometheusMeterRegistry registry, boolean isCounting) {
        this.bus = bus;
        this.meters = meters;
        this.registry = registry;
        this.isCounting = isCounting;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/metrics", Access.platformAdmin(), _ -> new RunQueries.Measure(), this::measure);
    }

    private Future<ApiReply> measure(ApiCall call, RunQueries.Measure ask) {
        if (!isCounting) {
            return Future.failedFuture(ApiException.notFound("metrics", "AP_METRICS_ENABLED"));
        }
        return bus.ask(ask, call.deadlineMs()).map(gauges -> {
            meters.tell(gauges);
            return ApiReply.of(200, TEXT_FORMAT, registry.scrape());
        });
    }
}
