package io.millrace.bench;

import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Throughput of one, two and three nodes on one database, with a flow that waits for 20 ms, and the exhausted resource.
 * Nodes, database, load balancer and load share this machine.
 */
final class ClusterSizes {
    private static final int NODES_MAX = 3;
    private static final int CONNECTIONS = 48;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(30);
    private static final Duration ROUND = Duration.ofSeconds(10);

    /** Concurrency limit of the project; never reached. */
    private static final int UNLIMITED = 100_000;

    private static final String DATABASE = "postgres";

    private final ServerProcess cluster;
    private final LoadGenerator load;
    private final PublishedFlow flow;

    private ClusterSizes(ServerProcess cluster, LoadGenerator load, PublishedFlow flow) {
        this.cluster = cluster;
        this.load = load;
        this.flow = flow;
    }

    /** Processor time by user; {@code machine} is the total. */
    private record Used(Duration nodes, Duration database, Duration machine) {
        /** Processes that the first process starts and balances. */
        static Used of(ServerProcess cluster) {
            var nodes = Duration.ZERO;
            var database = Duration.ZERO;
            for (var process : cluster.processes().stream().skip(1).toList()) {
                var used = process.info().totalCpuDuration().orElse(Duration.ZERO);
                var command = process.info().command().orElse("");
                if (command.endsWith("/" + DATABASE)) {
                    database = database.plus(used);
                } else {
                    nodes = nodes.plus(used);
                }
            }
            return new Used(nodes, database, HostLoad.of(List.of()).all());
        }

        Used since(Used before) {
            return new Used(nodes.minus(before.nodes), database.minus(before.database), machine.minus(before.machine));
        }
    }

    /** Times of nodes and of the database are per run, in microseconds. */
    private record Round(double accepted, double executed, double nodes, double database, double busy) {}

    static void measure(Path program, BenchReport report) {
        var rows = new ArrayList<List<String>>();
        try (var slow = new SlowService()) {
            for (var nodes = 1; nodes <= NODES_MAX; nodes++) {
                rows.add(row(nodes, rounds(program, nodes, slow)));
            }
        }
        report.table(
                "Asynchronous calls of a flow with a call of 20 ms and a step, %d connections, median of %d rounds of %d s."
                        .formatted(CONNECTIONS, ROUNDS, ROUND.toSeconds()),
                List.of(
                        "nodes",
                        "accepted a second",
                        "executed a second",
                        "processor time of a run: nodes",
                        "database",
                        "processors busy"),
                rows);
    }

    private static List<String> row(int nodes, List<Round> rounds) {
        return List.of(
                Integer.toString(nodes),
                "%.0f".formatted(Backlog.middle(rounds, Round::accepted)),
                "%.0f".formatted(Backlog.middle(rounds, Round::executed)),
                "%.0f us".formatted(Backlog.middle(rounds, Round::nodes)),
                "%.0f us".formatted(Backlog.middle(rounds, Round::database)),
                "%.0f %%".formatted(100 * Backlog.middle(rounds, Round::busy)));
    }

    private static List<Round> rounds(Path program, int nodes, SlowService slow) {
        var command = Bench.command(
                "io.millrace.fault.LocalCluster", program.toAbsolutePath().toString(), Integer.toString(nodes), "0");
        try (var directory = DataDirectory.create();
                var load = new LoadGenerator();
                var cluster = ServerProcess.start(command, directory.path(), Map.of())) {
            var flow = PublishedFlow.create(cluster.api(Backlog.DEADLINE), slow.flow());
            expect(flow.api()
                    .post("/v1/projects/" + flow.projectId(), Json.object().put("maxConcurrentJobs", UNLIMITED)));
            var sizes = new ClusterSizes(cluster, load, flow);
            var target = Backlog.call(cluster, flow, "");
            load.run(target, CONNECTIONS, WARM_UP);
            var found = IntStream.range(0, ROUNDS)
                    .mapToObj(_ -> sizes.round(target))
                    .toList();
            Backlog.stop(cluster);
            return found;
        }
    }

    private Round round(Target target) {
        var endedBefore = ended();
        var begun = System.nanoTime();
        var usedBefore = Used.of(cluster);
        var accepted = load.run(target, CONNECTIONS, ROUND);
        var used = Used.of(cluster).since(usedBefore);
        var machine = ROUND.multipliedBy(Runtime.getRuntime().availableProcessors());
        var ended = ended() - endedBefore;
        var seconds = (System.nanoTime() - begun) / 1e9;
        return new Round(
                accepted.throughput(),
                ended / seconds,
                micros(used.nodes(), ended),
                micros(used.database(), ended),
                (double) used.machine().toMillis() / machine.toMillis());
    }

    private static double micros(Duration used, long runs) {
        return used.toNanos() / 1000.0 / Math.max(1, runs);
    }

    /** The clock is read after the response, whose count covers the rows at that time. */
    private long ended() {
        var counts = expect(flow.api().get("/v1/flow-runs/count-by-status?projectId=" + flow.projectId()));
        return counts.body()
                .path("data")
                .valueStream()
                .filter(count -> count.path("status").asText().equals("SUCCEEDED"))
                .mapToLong(count -> count.path("count").asLong())
                .sum();
    }

    private static ApiClient.Answer expect(ApiClient.Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError("expected 200, found " + answer);
        }
        return answer;
    }
}
