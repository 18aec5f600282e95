package io.millrace.fault;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.outside.Outside;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Takeover time of a run whose node is killed or frozen: the time until another node starts its step again. {@code
 * scripts/chaos --takeover-times N} starts it.
 */
final class TakeoverTimes implements AutoCloseable {
    private static final int CONNECTIONS = 80;

    private final ToolDatabase database;
    private final Outside outside = Outside.start();
    private final List<ServerNode> nodes = new ArrayList<>();

    private TakeoverTimes(Path program, DataDirectory directory, DataDirectory first, DataDirectory second) {
        database = ToolDatabase.start(directory.path(), CONNECTIONS);
        var plan = ChaosPlan.parse(List.of("--nodes", "2"));
        for (var own : List.of(first, second)) {
            var node = new ServerNode(program, own, plan, Optional.of(database));
            nodes.add(node);
            node.start();
        }
    }

    /** Arguments: the program, and the number of kills; a fifth as many nodes are frozen. */
    public static void main(String[] arguments) throws IOException {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        var kills = Integer.parseInt(arguments[1]);
        try (var directory = DataDirectory.create();
                var first = DataDirectory.create();
                var second = DataDirectory.create();
                var times = new TakeoverTimes(Path.of(arguments[0]).toAbsolutePath(), directory, first, second)) {
            times.measure("killed", kills, ServerNode::kill, ServerNode::start);
            times.measure("frozen", Math.max(1, kills / 5), ServerNode::freeze, ServerNode::thaw);
        }
    }

    /** Fault of a node, or its repair. */
    private interface Deed {
        void to(ServerNode node);
    }

    private void measure(String title, int rounds, Deed harm, Deed repair) {
        var times = new ArrayList<Long>();
        for (var round = 0; round < rounds; round++) {
            var node = nodes.get(round % nodes.size());
            times.add(takeover(node, harm));
            outside.release();
            repair.to(node);
        }
        Collections.sort(times);
        System.out.printf(
                "%s %d times: taken over after p50 %d ms, p99 %d ms, at most %d ms%n",
                title, rounds, percentile(times, 50), percentile(times, 99), times.getLast());
    }

    private static long percentile(List<Long> sorted, int percent) {
        return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
    }

    private long takeover(ServerNode node, Deed harm) {
        var flow = PublishedFlow.create(
                node.api(),
                FlowScript.webhook()
                        .http("step_1", "POST", outside.url("/held"))
                        .importOperation("Held")
                        .path("request"));
        var before = outside.calls().size();
        flow.api().post("/v1/webhooks/" + flow.flowId(), Json.object());
        outside.awaitCalls(before + 1);
        var began = System.nanoTime();
        harm.to(node);
        outside.awaitCalls(before + 2);
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    @Override
    public void close() {
        nodes.forEach(ServerNode::close);
        outside.close();
        database.close();
    }
}
