package io.millrace.bench;

import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Compared server: target of the load, and its results by number of connections. */
final class Side {
    private final String name;
    private final ServerProcess server;
    private final Target target;
    private final Map<Integer, List<LoadFigures>> rounds = new HashMap<>();
    private final Map<Integer, ProcessorTime> used = new HashMap<>();

    Side(String name, ServerProcess server, Target target) {
        this.name = name;
        this.server = server;
        this.target = target;
    }

    String name() {
        return name;
    }

    ServerProcess server() {
        return server;
    }

    void warmUp(LoadGenerator load, int connections, Duration length) {
        load.run(target, connections, length);
    }

    /** Makes this many calls, or fewer if they take longer; returns the cost in the last tenth of the time. */
    WarmUp warmUp(LoadGenerator load, int connections, long calls, Duration longest) {
        var first = load.calls(
                target, connections, calls * 9 / 10, longest.multipliedBy(9).dividedBy(10));
        var last = round(connections, () -> load.calls(target, connections, calls / 10, longest.dividedBy(10)));
        return new WarmUp(first.answered() + last.figures().answered(), last);
    }

    /**
     * Calls before a comparison.
     *
     * @param calls number of answered calls
     * @param last the last of them
     */
    record WarmUp(long calls, Round last) {
        /** Compiler time of one of the last calls, in microseconds. */
        double compilerMicros() {
            return last.used().compilers().toNanos()
                    / 1000.0
                    / Math.max(1, last.figures().answered());
        }
    }

    /** Loads the server once; the results count only after {@link #keep}. */
    Round round(LoadGenerator load, int connections, Duration length) {
        return round(connections, () -> load.run(target, connections, length));
    }

    private Round round(int connections, Supplier<LoadFigures> calls) {
        var before = ProcessorTime.of(server);
        var figures = calls.get();
        return new Round(connections, figures, ProcessorTime.of(server).since(before));
    }

    /** Results of one round. */
    record Round(int connections, LoadFigures figures, ProcessorTime used) {}

    void keep(Round round) {
        rounds.computeIfAbsent(round.connections(), _ -> new ArrayList<>()).add(round.figures());
        used.merge(round.connections(), round.used(), ProcessorTime::plus);
    }

    double median(int connections, ToDoubleFunction<LoadFigures> value) {
        return LoadFigures.median(rounds.getOrDefault(connections, List.of()), value);
    }

    double rate(int connections) {
        return median(connections, LoadFigures::throughput);
    }

    double microsPerCall(int connections) {
        return used.getOrDefault(connections, ProcessorTime.NONE).microsPerCall(answered(connections));
    }

    String costPerCall(int connections) {
        return used.getOrDefault(connections, ProcessorTime.NONE).perCall(answered(connections));
    }

    long refused() {
        return rounds.values().stream()
                .flatMap(List::stream)
                .mapToLong(LoadFigures::refused)
                .sum();
    }

    private long answered(int connections) {
        return rounds.getOrDefault(connections, List.of()).stream()
                .mapToLong(LoadFigures::answered)
                .sum();
    }
}
