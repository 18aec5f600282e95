package io.millrace.base.metrics;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Properties;

/**
 * Metrics of a server: those of libraries, counted by Micrometer, and its own. Part of Micrometer's global registry for as
 * long as the server counts, so that components without a reference to a server, such as caches, find it.
 */
public final class ServerRegistry extends PrometheusMeterRegistry {
    /** Exemplars are attached to buckets only: OpenMetrics has none at counts, and a scraper refuses the whole page for one. */
    private static final PrometheusConfig CONFIG = new PrometheusConfig() {
        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public Properties prometheusProperties() {
            var properties = new Properties();
            properties.setProperty("io.prometheus.exporter.exemplarsOnAllMetricTypes", "false");
            return properties;
        }
    };

    private final MeterSet meters;

    public ServerRegistry(MeterSet meters) {
        super(CONFIG);
        this.meters = meters;
        getPrometheusRegistry().register(meters);
    }

    /** Meters of the servers of this process: one, or none; several in tests. */
    public static List<MeterSet> counting() {
        return Metrics.globalRegistry.getRegistries().stream()
                .filter(ServerRegistry.class::isInstance)
                .map(registry -> ((ServerRegistry) registry).meters)
                .toList();
    }
}
