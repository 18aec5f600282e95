package io.millrace.base.metrics;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Properties;

/**
 * What a server tells of itself: what libraries count by Micrometer, and what it counts itself. It belongs to Micrometer's global
 * registry for as long as the server counts, which is how those find it who are made without knowing a server, such as caches.
 */
public final class ServerRegistry extends PrometheusMeterRegistry {
    /** Exemplars stand at buckets only: OpenMetrics has none at counts, and a scraper refuses the whole page for one. */
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

    /** What the servers of this process count with now: one, or none; more of them in tests. */
    public static List<MeterSet> counting() {
        return Metrics.globalRegistry.getRegistries().stream()
                .filter(ServerRegistry.class::isInstance)
                .map(registry -> ((ServerRegistry) registry).meters)
                .toList();
    }
}
