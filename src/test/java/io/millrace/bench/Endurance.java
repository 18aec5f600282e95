package io.millrace.bench;

import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Memory and throughput over a million asynchronous runs. */
final class Endurance {
    private static final int CONNECTIONS = 64;
    private static final long RUNS = 1_000_000;
    private static final long MARK = 100_000;
    private static final Duration SLICE = Duration.ofSeconds(2);

    private final ServerProcess server;
    private final LoadGenerator load;
    private final BenchReport report;

    Endurance(ServerProcess server, LoadGenerator load, BenchReport report) {
        this.server = server;
        this.load = load;
        this.report = report;
    }

    void measure(Target async) {
        var labels = new ArrayList<String>();
        var megabytes = new ArrayList<Double>();
        var rates = new ArrayList<Double>();
        var runs = 0L;
        var atMark = 0L;
        var seconds = 0.0;
        while (runs < RUNS) {
            var figures = load.run(async, CONNECTIONS, SLICE);
            runs += figures.answered();
            atMark += figures.answered();
            seconds += figures.seconds();
            if (atMark >= MARK) {
                labels.add(runs / 1000 + "k");
                megabytes.add((double) Memory.megabytes(server));
                rates.add(atMark / seconds);
                atMark = 0;
                seconds = 0;
            }
        }
        report.plot(new Plot(
                "Memory of all processes over asynchronous runs",
                "MB, by runs",
                labels,
                List.of(new Plot.Line("memory", megabytes))));
        report.plot(new Plot(
                "Asynchronous runs", "accepted a second, by runs", labels, List.of(new Plot.Line("rate", rates))));
        report.judge(
                "memory after a million runs against a hundred thousand",
                100 * megabytes.getLast() / megabytes.getFirst(),
                "%",
                120,
                false);
        report.judge(
                "asynchronous runs, sustained",
                rates.stream().mapToDouble(rate -> rate).min().orElse(0),
                "/s",
                10_000,
                true);
    }
}
