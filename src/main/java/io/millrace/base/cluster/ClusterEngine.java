package io.millrace.base.cluster;

import io.millrace.base.config.ClusterSettings;
import io.vertx.core.spi.cluster.ClusterManager;

/** Creates the cluster manager of a node. Its implementation may lie in an archive that only a node of a cluster opens. */
public interface ClusterEngine {
    ClusterManager manager(ClusterSettings cluster);
}
