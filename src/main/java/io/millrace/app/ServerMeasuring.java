package io.millrace.app;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.metrics.ServerRegistry;
import io.vertx.core.Vertx;

/** Metrics of a process while a server runs in it: JVM, event loops, release. None if the settings disable metrics. */
record ServerMeasuring(Runnable stopping) {
    static ServerMeasuring none() {
        return new ServerMeasuring(() -> {});
    }

    static ServerMeasuring start(Vertx vertx, ServerRegistry registry, MeterSet meters) {
        Metrics.addRegistry(registry);
        new GarbageCollections().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        meters.gauge(ServerMeter.BUILD, () -> 1, Server.VERSION);
        var lag = EventLoopLag.start(vertx, meters);
        return new ServerMeasuring(() -> {
            lag.stop();
            Metrics.removeRegistry(registry);
        });
    }

    void stop() {
        stopping.run();
    }
}
