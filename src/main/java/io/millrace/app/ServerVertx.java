package io.millrace.app;

import io.micrometer.core.instrument.Metrics;
import io.millrace.base.cluster.ClusteredVertx;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.Set;

/**
 * The event loops of a process, with the native transport that Unix sockets need, and measured (decision 0132), unless the
 * settings say otherwise.
 */
public final class ServerVertx {
    private static final Set<Label> LABELS = Set.of(Label.POOL_TYPE, Label.POOL_NAME);

    /**
     * Metrics of Vert.x that are disabled. The bus has its own metrics; the server itself counts requests and outbound calls,
     * with references to its counters instead of a lookup by labels for each (decision 0132); each SQL connection would
     * register another gauge.
     */
    private static final Set<String> UNMEASURED = Set.of(
            MetricsDomain.EVENT_BUS.toCategory(),
            MetricsDomain.HTTP_SERVER.toCategory(),
            MetricsDomain.HTTP_CLIENT.toCategory(),
            MetricsDomain.NET_SERVER.toCategory(),
            MetricsDomain.NET_CLIENT.toCategory(),
            "sql");

    private ServerVertx() {}

    public static Vertx create() {
        return builder(true).with(options(true)).build();
    }

    public static Future<Vertx> open(Config config) {
        var builder = builder(config.observation().monitoring().isCounting());
        var options = options(config.observation().monitoring().isCounting());
        return config.process()
                .cluster()
                .map(cluster -> ClusteredVertx.open(
                        builder,
                        options,
                        cluster,
                        config.storage().data().directory().resolve("cluster")))
                .orElseGet(() -> Future.succeededFuture(builder.with(options).build()))
                .recover(failure ->
                        Future.failedFuture(new BadSetting("AP_CLUSTER_HOST, AP_CLUSTER_PORT, AP_CLUSTER_MEMBERS: the"
                                + " cluster cannot be joined: " + failure.getMessage())));
    }

    private static VertxBuilder builder(boolean isMeasured) {
        return isMeasured
                ? Vertx.builder().withMetrics(new MicrometerMetricsFactory(Metrics.globalRegistry))
                : Vertx.builder();
    }

    private static VertxOptions options(boolean isMeasured) {
        var metrics = new MicrometerMetricsOptions()
                .setLabels(LABELS)
                .setDisabledMetricsCategories(UNMEASURED)
                .setEnabled(isMeasured);
        // No file is served from the jar; its cache folder would be created in /tmp at each start.
        var files = new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
        return new VertxOptions()
                .setPreferNativeTransport(true)
                .setMetricsOptions(metrics)
                .setFileSystemOptions(files);
    }
}
