package io.millrace.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.monitoring.MetricsExposition;
import io.millrace.base.monitoring.MonitoringServer;
import io.millrace.base.monitoring.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;

/**
 * Health and metrics endpoints of a process: available before the server starts, during its repeated start attempts, and after
 * its end.
 */
record Monitoring(Readiness readiness, MetricsExposition metrics, MonitoringServer server) {
    static Future<Monitoring> open(Vertx vertx, LiveConfig live) {
        var readiness = new Readiness();
        var metrics =
                new MetricsExposition(vertx, () -> live.get().observation().monitoring());
        return MonitoringServer.open(vertx, live.get(), readiness, metrics)
                .map(server -> new Monitoring(readiness, metrics, server));
    }

    void running(PrometheusMeterRegistry registry, Supplier<Future<Void>> refresh, List<Readiness.Check> checks) {
        metrics.of(registry, refresh);
        readiness.running(checks);
    }

    Future<Void> close() {
        return server.close();
    }
}
