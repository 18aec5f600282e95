package io.millrace.base.cluster;

import com.hazelcast.config.JavaSerializationFilterConfig;
import io.millrace.base.config.ClusterSettings;
import io.millrace.base.secret.Hashes;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;

/**
 * Membership by Hazelcast. Only this class refers to Hazelcast: the packaged file holds both in an archive that a node without a
 * cluster does not open (decision 0419), so that {@link ClusteredVertx} loads it by name.
 */
public final class HazelcastEngine implements ClusterEngine {
    /** Time after which a silent node counts as lost. */
    private static final String SILENCE_SECONDS_MAX = "5";

    /** Interval of attempts to merge two parts of a split cluster. */
    private static final String MERGE_SECONDS = "5";

    @Override
    public ClusterManager manager(ClusterSettings cluster) {
        return new HazelcastClusterManager(engine(cluster));
    }

    private static com.hazelcast.config.Config engine(ClusterSettings cluster) {
        var loader = HazelcastEngine.class.getClassLoader();
        var config = ConfigUtil.loadConfig().setClassLoader(loader);
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
