package io.millrace.fault;

import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Faults of the network between nodes that a cluster engine connects. The connection to their database is not affected.
 */
enum NetworkHarm implements Harm {
    /** Network partition that keeps connections open, shorter or longer than the nodes' detection time. */
    NODES_SPLIT(Duration.ofSeconds(2), Duration.ofSeconds(20)) {
        @Override
        void disturb(ServerNode node) {
            node.clusterWays().split();
        }
    },
    /** One node accepts no connection, and its open connections are closed. */
    CLUSTER_PORT_LOST(Duration.ofSeconds(1), Duration.ofSeconds(10)) {
        @Override
        void disturb(ServerNode node) {
            node.clusterWays().cut(node.number());
        }
    };

    private final Duration least;
    private final Duration most;

    NetworkHarm(Duration least, Duration most) {
        this.least = least;
        this.most = most;
    }

    abstract void disturb(ServerNode node);

    @Override
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Override
    public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
        disturb(node);
        try {
            Thread.sleep(random.nextLong(least.toMillis(), most.toMillis()));
        } finally {
            node.clusterWays().mend();
        }
    }
}
