package io.millrace.support;

import io.millrace.base.net.FreePort;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Ways between nodes that are joined by a cluster engine: each is reached by the others through ways that can be cut or
 * silenced, and mended again.
 */
public final class ClusterWays implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final List<NodeWay> ways = new ArrayList<>();

    /** The two ports of a node, its engine's and the next one for its event bus, and the ways to them. */
    private record NodeWay(int port, FaultyProxy engine, FaultyProxy eventBus) {}

    /** Ways to so many nodes. */
    public ClusterWays(int nodes) {
        for (var node = 0; node < nodes; node++) {
            var port = freePair();
            var seen = freePair();
            ways.add(new NodeWay(port, FaultyProxy.at(seen, port), FaultyProxy.at(seen + 1, port + 1)));
        }
    }

    /** A port that is free, as is the next one. */
    private static int freePair() {
        while (true) {
            var port = FreePort.find().orElseThrow();
            try (var next = new ServerSocket(port + 1)) {
                return next.getLocalPort() - 1;
            } catch (IOException taken) {
                // Another pair, then.
            }
        }
    }

    /** Settings of one of the nodes, counted from 0. */
    public Map<String, String> settings(int node) {
        var members =
                ways.stream().map(way -> LOOPBACK + ":" + way.engine().port()).collect(Collectors.joining(","));
        var own = ways.get(node);
        return Map.of(
                "AP_CLUSTER_MEMBERS",
                members,
                "AP_CLUSTER_HOST",
                LOOPBACK,
                "AP_CLUSTER_PORT",
                Integer.toString(own.port()),
                "AP_CLUSTER_PUBLIC_PORT",
                Integer.toString(own.engine().port()),
                "AP_CLUSTER_PASSWORD",
                "only the nodes know it");
    }

    /** Drops all traffic between nodes without closing connections. */
    public void split() {
        ways.forEach(way -> {
            way.engine().silence();
            way.eventBus().silence();
        });
    }

    /** Rejects connections to one of the nodes, and closes its open connections. */
    public void cut(int node) {
        ways.get(node).engine().cut();
        ways.get(node).eventBus().cut();
    }

    /** Undoes all of that. */
    public void mend() {
        ways.forEach(way -> {
            way.engine().mend();
            way.eventBus().mend();
        });
    }

    @Override
    public void close() {
        ways.forEach(way -> {
            way.engine().close();
            way.eventBus().close();
        });
    }
}
