package io.millrace.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several servers under the same load in turn, so that other load of the machine affects all alike. Rounds with much
 * foreign load are repeated; if all repetitions are disturbed, the figures are marked.
 */
final class BenchComparison {
    static final List<Integer> CONNECTIONS = List.of(64, 16, 1);

    /**
     * Rounds of each side.
     *
     * @param repeats largest number of repetitions of a disturbed round
     */
    record Rounds(int count, Duration length, int repeats) {}

    private final LoadGenerator load;
    private final List<Side> sides;
    private final Rounds rounds;
    private final BenchReport report;
    private int disturbed;

    BenchComparison(LoadGenerator load, List<Side> sides, Rounds rounds, BenchReport report) {
        this.load = load;
        this.sides = sides;
        this.rounds = rounds;
        this.report = report;
    }

    void measure() {
        for (var connections : CONNECTIONS) {
            for (var number = 1; number <= rounds.count(); number++) {
                var rates = sides.stream()
                        .map(side -> side.name() + " %.0f/s".formatted(undisturbed(side, connections)))
                        .collect(Collectors.joining(", "));
                report.say("  %d connections, round %d: %s", connections, number, rates);
            }
        }
        if (disturbed > 0) {
            report.say(
                    "%d of %d rounds were disturbed by others, however often repeated",
                    disturbed, CONNECTIONS.size() * rounds.count() * sides.size());
        }
    }

    private double undisturbed(Side side, int connections) {
        var servers = sides.stream().map(Side::server).distinct().toList();
        for (var attempt = 0; ; attempt++) {
            var before = HostLoad.of(servers);
            var met = side.round(load, connections, rounds.length());
            var isDisturbed = HostLoad.of(servers).isDisturbedSince(before, rounds.length());
            if (!isDisturbed || attempt == rounds.repeats()) {
                disturbed += isDisturbed ? 1 : 0;
                side.keep(met);
                return met.figures().throughput();
            }
        }
    }

    /** A row for each side; shares are relative to the baselines, in their order. */
    void table(List<Side> measures) {
        report.table(
                "Calls a second, by connections. Shares are of "
                        + measures.stream().map(Side::name).collect(Collectors.joining(", and of ")) + ".",
                List.of("", "64", "16", "1", "p99 at 64", "p50 at 1", "processor time of a call at 64"),
                sides.stream()
                        .map(side -> List.of(
                                side.name(),
                                cell(side, 64, measures),
                                cell(side, 16, measures),
                                cell(side, 1, measures),
                                "%.1f ms".formatted(side.median(64, LoadFigures::p99Ms)),
                                "%.2f ms".formatted(side.median(1, LoadFigures::medianMs)),
                                side.costPerCall(64)))
                        .toList());
    }

    private static String cell(Side side, int connections, List<Side> measures) {
        var shares = measures.stream()
                .map(measure -> "%.0f %%".formatted(100 * side.rate(connections) / measure.rate(connections)))
                .collect(Collectors.joining(", "));
        return "%.0f/s (%s)".formatted(side.rate(connections), shares);
    }
}
