package io.millrace.bench;

import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Memory of a server and its child processes, each shared page counted once (the kernel's proportional set size). */
final class Memory {
    private static final String PREFIX = "Pss:";

    private Memory() {}

    static long megabytes(ServerProcess server) {
        return megabytes(server.processes());
    }

    /** By program, the server first: number of processes, and their memory. */
    static String parts(ServerProcess server) {
        var processes = server.processes();
        var others = processes.subList(1, processes.size()).stream()
                .collect(Collectors.groupingBy(Memory::program, TreeMap::new, Collectors.toList()));
        var parts = others.entrySet().stream()
                .map(entry ->
                        "%d %s %d MB".formatted(entry.getValue().size(), entry.getKey(), megabytes(entry.getValue())));
        return Stream.concat(Stream.of("server %d MB".formatted(megabytes(processes.subList(0, 1)))), parts)
                .collect(Collectors.joining(", "));
    }

    private static String program(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString())
                .orElse("others");
    }

    private static long megabytes(List<ProcessHandle> processes) {
        return processes.stream().mapToLong(Memory::kilobytes).sum() / 1024;
    }

    private static long kilobytes(ProcessHandle process) {
        try {
            for (var line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "smaps_rollup"))) {
                if (line.startsWith(PREFIX)) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
            return 0;
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
