package io.millrace.app;

import io.micrometer.core.instrument.Metrics;
import io.millrace.base.cluster.ClusteredVertx;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.Set;

/** The event loops of a process, with the native transport that Unix sockets need, and measured (decision 0132). */
public final class ServerVertx {
    /** Whatever a stranger may choose freely, a method or an address among it, would make meters without end. */
    private static final Set<Label> LABELS =
            Set.of(Label.HTTP_ROUTE, Label.HTTP_CODE, Label.POOL_TYPE, Label.POOL_NAME);

    /** The bus has a way of its own; sockets are counted as requests; each connection of SQL would register a gauge anew. */
    private static final Set<String> UNMEASURED = Set.of(
            MetricsDomain.EVENT_BUS.toCategory(),
            MetricsDomain.NET_SERVER.toCategory(),
            MetricsDomain.NET_CLIENT.toCategory(),
            "sql");

    private ServerVertx() {}

    /** Fresh event loops. */
    public static Vertx create() {
        return builder().with(options()).build();
    }

    /** Fresh event loops, joined with those of other nodes where a cluster is set up. */
    public static Future<Vertx> open(Config config) {
        return config.cluster()
                .map(cluster -> ClusteredVertx.open(builder(), options(), cluster))
                .orElseGet(() -> Future.succeededFuture(create()))
                .recover(failure ->
                        Future.failedFuture(new BadSetting("AP_CLUSTER_HOST, AP_CLUSTER_PORT, AP_CLUSTER_MEMBERS: the"
                                + " cluster cannot be joined: " + failure.getMessage())));
    }

    private static VertxBuilder builder() {
        return Vertx.builder().withMetrics(new MicrometerMetricsFactory(Metrics.globalRegistry));
    }

    private static VertxOptions options() {
        var metrics = new MicrometerMetricsOptions()
                .setLabels(LABELS)
                .setDisabledMetricsCategories(UNMEASURED)
                .setEnabled(true);
        return new VertxOptions().setPreferNativeTransport(true).setMetricsOptions(metrics);
    }
}
