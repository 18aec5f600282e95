package io.millrace.base.cluster;

import com.hazelcast.config.JavaSerializationFilterConfig;
import io.millrace.base.config.Config;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;

/**
 * Event loops of a node of a cluster, joined by Hazelcast (decision 0158). Only this class refers to Hazelcast, so that none
 * of its classes is loaded without a cluster.
 */
public final class ClusteredVertx {
    /** Time after which a silent node counts as lost. */
    private static final String SILENCE_SECONDS_MAX = "5";

    /** Interval of attempts to merge two parts of a split cluster. */
    private static final String MERGE_SECONDS = "5";

    private ClusteredVertx() {}

    /** Joins the cluster; fails when its ports cannot be had. */
    public static Future<Vertx> open(VertxBuilder builder, VertxOptions options, Config.Cluster cluster) {
        options.getEventBusOptions()
                .setHost(cluster.host())
                .setPort(cluster.port() + 1)
                .setClusterPublicHost(cluster.host())
                .setClusterPublicPort(cluster.publicPort() + 1);
        return builder.with(options)
                .withClusterManager(new HazelcastClusterManager(engine(cluster)))
                .buildClustered();
    }

    private static com.hazelcast.config.Config engine(Config.Cluster cluster) {
        var config = ConfigUtil.loadConfig();
        config.setClusterName("millrace-" + Hashes.sha256Hex("millrace cluster " + cluster.password()));
        config.setProperty("hazelcast.logging.type", "slf4j")
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0")
                .setProperty("hazelcast.heartbeat.interval.seconds", "1")
                .setProperty("hazelcast.max.no.heartbeat.seconds", SILENCE_SECONDS_MAX)
                .setProperty("hazelcast.merge.first.run.delay.seconds", MERGE_SECONDS)
                .setProperty("hazelcast.merge.next.run.delay.seconds", MERGE_SECONDS);
        var network = config.getNetworkConfig();
        network.setPort(cluster.port())
                .setPortAutoIncrement(false)
                .setPublicAddress(cluster.host() + ":" + cluster.publicPort());
        network.getInterfaces().setEnabled(true).clear().addInterface(cluster.host());
        var join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(cluster.kubernetesService().isEmpty()).setMembers(cluster.members());
        cluster.kubernetesService()
                .ifPresent(
                        service -> join.getKubernetesConfig().setEnabled(true).setProperty("service-dns", service));
        config.getSerializationConfig().setJavaSerializationFilterConfig(onlyOurs());
        return config;
    }

    /** Restricts deserialization to our own classes: a peer that reaches the port must not instantiate arbitrary ones. */
    private static JavaSerializationFilterConfig onlyOurs() {
        var filter = new JavaSerializationFilterConfig().setDefaultsDisabled(true);
        filter.getWhitelist().addPrefixes("java.lang.", "java.util.", "io.vertx.", "com.hazelcast.", "[");
        return filter;
    }
}
