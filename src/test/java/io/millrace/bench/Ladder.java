package io.millrace.bench;

import io.millrace.bench.LoadGenerator.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Throughput and latency over the number of connections. */
final class Ladder {
    private static final List<Integer> CONNECTIONS = List.of(1, 4, 16, 64, 256, 1000);
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    private final LoadGenerator load;
    private final Duration round;
    private final BenchReport report;

    Ladder(LoadGenerator load, Duration round, BenchReport report) {
        this.load = load;
        this.round = round;
        this.report = report;
    }

    /** One kind of call. */
    record Kind(String name, Target target) {}

    void measure(List<Kind> kinds) {
        var rates = new ArrayList<Plot.Line>();
        var curves = new ArrayList<Plot.Line>();
        for (var kind : kinds) {
            var found = new ArrayList<LoadFigures>();
            for (var connections : CONNECTIONS) {
                found.add(load.run(kind.target(), connections, round).corrected(connections));
            }
            rates.add(Plot.Line.of(kind.name(), found, LoadFigures::throughput));
            report.plot(new Plot(
                    "Latency of " + kind.name(),
                    "ms, by connections",
                    labels(CONNECTIONS),
                    List.of(
                            Plot.Line.of("p50", found, LoadFigures::medianMs),
                            Plot.Line.of("p99", found, LoadFigures::p99Ms),
                            Plot.Line.of("p99.9", found, figures -> figures.percentileMs(99.9)))));
            curves.add(new Plot.Line(
                    kind.name(),
                    PERCENTILES.stream()
                            .map(percentile ->
                                    found.get(CONNECTIONS.indexOf(64)).percentileMs(percentile))
                            .toList()));
        }
        report.plot(new Plot("Throughput", "calls a second, by connections", labels(CONNECTIONS), rates));
        report.plot(new Plot("Latency at 64 connections", "ms, by percentile", labels(PERCENTILES), curves));
    }

    private static List<String> labels(List<?> values) {
        return values.stream().map(Object::toString).toList();
    }
}
