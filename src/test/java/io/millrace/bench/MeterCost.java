package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Overhead of metrics: one server with metrics and one without, on the same machine and called in turn, so that other
 * load of the machine affects both alike. Both are restarted several times, in alternating order, because no two starts
 * of a JVM compile alike. Traces are off in both, as by default.
 */
final class MeterCost {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 64;
    private static final int STARTS = 6;
    private static final int ROUNDS = 4;
    private static final int REPEATS_MAX = 2;
    private static final Duration WARM_UP = Duration.ofSeconds(12);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int SHARE_MAX = 2;

    private final List<String> command;
    private final JsonNode flow;
    private final LoadGenerator load;
    private final BenchReport report;
    private int disturbed;

    private MeterCost(List<String> command, JsonNode flow, LoadGenerator load, BenchReport report) {
        this.command = List.copyOf(command);
        this.flow = flow;
        this.load = load;
        this.report = report;
    }

    /** Both servers of one start, after the same number of calls. */
    private record Pair(Side counting, Side silent) {
        double share(ToDoubleFunction<Side> value) {
            return 100 * (value.applyAsDouble(counting) / value.applyAsDouble(silent) - 1);
        }

        double processorShare() {
            return share(side -> side.microsPerCall(CONNECTIONS));
        }

        double rateShare() {
            return -share(side -> side.rate(CONNECTIONS));
        }
    }

    /** Measures a packaged server. */
    static void measure(Path program, JsonNode flow, BenchReport report) {
        measure(List.of(program.toString()), flow, report);
    }

    /** Measures the server that a command starts. */
    static void measure(List<String> command, JsonNode flow, BenchReport report) {
        try (var load = new LoadGenerator()) {
            new MeterCost(command, flow, load, report).measure();
        }
    }

    private void measure() {
        var pairs = new ArrayList<Pair>();
        for (var start = 1; start <= STARTS; start++) {
            var pair = started(start % 2 == 0);
            report.say(
                    "start %d: %.0f/s with metrics and %.0f/s without; processor time of a call %.1f us and %.1f us",
                    start,
                    pair.counting().rate(CONNECTIONS),
                    pair.silent().rate(CONNECTIONS),
                    pair.counting().microsPerCall(CONNECTIONS),
                    pair.silent().microsPerCall(CONNECTIONS));
            pairs.add(pair);
        }
        if (disturbed > 0) {
            report.say("%d of %d rounds were disturbed by others, however often repeated", disturbed, STARTS * ROUNDS);
        }
        report.judge("processor time for metrics", median(pairs, Pair::processorShare), "%", SHARE_MAX, false);
        report.judge("calls given up for metrics", median(pairs, Pair::rateShare), "%", SHARE_MAX, false);
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> share) {
        var sorted = pairs.stream().mapToDouble(share).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** @param countingFirst true if the server with metrics is started and called first */
    private Pair started(boolean countingFirst) {
        try (var data = DataDirectory.create();
                var otherData = DataDirectory.create();
                var first = start(data, countingFirst);
                var second = start(otherData, !countingFirst)) {
            var counting = side("with metrics", countingFirst ? first : second);
            var silent = side("without", countingFirst ? second : first);
            var pair = new Pair(counting, silent);
            for (var side : countingFirst ? List.of(counting, silent) : List.of(silent, counting)) {
                side.warmUp(load, CONNECTIONS, WARM_UP);
            }
            for (var round = 0; round < ROUNDS; round++) {
                inTurn(pair, round % 2 == 0);
            }
            stop(first);
            stop(second);
            return pair;
        }
    }

    private ServerProcess start(DataDirectory directory, boolean isCounting) {
        return ServerProcess.start(command, directory.path(), Map.of("AP_METRICS_ENABLED", String.valueOf(isCounting)));
    }

    private Side side(String name, ServerProcess server) {
        var published = PublishedFlow.create(server.api(START_DEADLINE), flow);
        return new Side(
                name,
                server,
                Target.post(
                        server.port(START_DEADLINE), "/api/v1/webhooks/" + published.flowId() + "/sync", Bench.ORDER));
    }

    /** A round of each, or neither: a disturbance of one alone would count as its cost. */
    private void inTurn(Pair pair, boolean countingFirst) {
        var order = countingFirst ? List.of(pair.counting(), pair.silent()) : List.of(pair.silent(), pair.counting());
        var servers = order.stream().map(Side::server).toList();
        for (var attempt = 0; ; attempt++) {
            var before = HostLoad.of(servers);
            var met = order.stream()
                    .map(side -> side.round(load, CONNECTIONS, ROUND))
                    .toList();
            var isDisturbed = HostLoad.of(servers).isDisturbedSince(before, ROUND.multipliedBy(order.size()));
            if (!isDisturbed || attempt == REPEATS_MAX) {
                disturbed += isDisturbed ? 1 : 0;
                order.getFirst().keep(met.getFirst());
                order.getLast().keep(met.getLast());
                return;
            }
        }
    }

    private static void stop(ServerProcess server) {
        server.terminate();
        server.exitStatus(START_DEADLINE);
    }
}
