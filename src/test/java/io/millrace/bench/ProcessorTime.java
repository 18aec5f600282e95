package io.millrace.bench;

import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Processor time of a server and its child processes (its database). Unlike the throughput it hardly depends on other
 * load of the machine.
 *
 * @param compilers part of both: compiler threads of JVMs, without those that have ended
 */
record ProcessorTime(Duration itself, Duration others, Duration compilers) {
    static final ProcessorTime NONE = new ProcessorTime(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    static ProcessorTime of(ServerProcess server) {
        var all = server.processes();
        return new ProcessorTime(
                sum(all.subList(0, 1)),
                sum(all.subList(1, all.size())),
                all.stream().map(ProcessorTime::compilersOf).reduce(Duration.ZERO, Duration::plus));
    }

    ProcessorTime since(ProcessorTime before) {
        var compiled = compilers.minus(before.compilers);
        return new ProcessorTime(
                itself.minus(before.itself),
                others.minus(before.others),
                compiled.isNegative() ? Duration.ZERO : compiled);
    }

    ProcessorTime plus(ProcessorTime more) {
        return new ProcessorTime(itself.plus(more.itself), others.plus(more.others), compilers.plus(more.compilers));
    }

    /** Text for one of this many calls. */
    String perCall(long calls) {
        return "%d us (server %d, database and workers %d; compilers %d of these)"
                .formatted(
                        micros(itself.plus(others), calls),
                        micros(itself, calls),
                        micros(others, calls),
                        micros(compilers, calls));
    }

    /** Total for one of this many calls. */
    double microsPerCall(long calls) {
        return itself.plus(others).toNanos() / 1000.0 / Math.max(1, calls);
    }

    private static long micros(Duration whole, long calls) {
        return whole.toNanos() / 1000 / Math.max(1, calls);
    }

    /** Zero if the system does not list threads. */
    private static Duration compilersOf(ProcessHandle process) {
        var threads = Path.of("/proc", Long.toString(process.pid()), "task");
        if (!Files.isDirectory(threads)) {
            return Duration.ZERO;
        }
        try (var listed = Files.newDirectoryStream(threads)) {
            var nanos = 0L;
            for (var thread : listed) {
                nanos += compilerNanos(thread);
            }
            return Duration.ofNanos(nanos);
        } catch (NoSuchFileException ended) {
            return Duration.ZERO;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long compilerNanos(Path thread) throws IOException {
        try {
            var isCompiler = Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\\s*");
            return isCompiler
                    ? Long.parseLong(
                            Files.readString(thread.resolve("schedstat")).split(" ")[0])
                    : 0;
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }

    private static Duration sum(List<ProcessHandle> processes) {
        return processes.stream()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }
}
