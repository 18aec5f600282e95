package io.millrace.bench;

import io.millrace.support.ServerProcess;
import java.time.Duration;
import java.util.List;

/**
 * Processor time that a server has used, by itself and by the processes that it started (its database). Unlike the
 * throughput it hardly depends on what else the machine does.
 */
record ProcessorTime(Duration itself, Duration others) {
    static ProcessorTime of(ServerProcess server) {
        var all = server.processes();
        return new ProcessorTime(sum(all.subList(0, 1)), sum(all.subList(1, all.size())));
    }

    ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(itself.minus(before.itself), others.minus(before.others));
    }

    ProcessorTime plus(ProcessorTime more) {
        return new ProcessorTime(itself.plus(more.itself), others.plus(more.others));
    }

    /** As text, for one of so many calls. */
    String perCall(long calls) {
        return "%d us (server %d, database %d)"
                .formatted(micros(itself.plus(others), calls), micros(itself, calls), micros(others, calls));
    }

    /** All of it, for one of so many calls. */
    double microsPerCall(long calls) {
        return itself.plus(others).toNanos() / 1000.0 / Math.max(1, calls);
    }

    private static long micros(Duration whole, long calls) {
        return whole.toNanos() / 1000 / Math.max(1, calls);
    }

    private static Duration sum(List<ProcessHandle> processes) {
        return processes.stream()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }
}
