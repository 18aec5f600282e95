package io.millrace.support;

import io.millrace.base.net.FreePort;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Connections between nodes in a cluster engine: each node is reached by the others through proxies that can be cut,
 * silenced and restored.
 */
public final class ClusterWays implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final List<NodeWay> ways = new ArrayList<>();

    /** The two ports of a node, its engine's and the next one for its event bus, and their proxies. */
    private record NodeWay(int port, FaultyProxy engine, FaultyProxy eventBus) {}

    /** Proxies for a number of nodes. */
    public ClusterWays(int nodes) {
        for (var node = 0; node < nodes; node++) {
            var port = freePair();
            var seen = freePair();
            ways.add(new NodeWay(port, FaultyProxy.at(seen, port), FaultyProxy.at(seen + 1, port + 1)));
        }
    }

    /** A free port whose successor is free, too. */
    private static int freePair() {
        while (true) {
            var port = FreePort.find().orElseThrow();
            try (var next = new ServerSocket(port + 1)) {
                return next.getLocalPort() - 1;
            } catch (IOException taken) {
                // The port was taken meanwhile: tries another pair.
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

    /** Removes all faults. */
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
