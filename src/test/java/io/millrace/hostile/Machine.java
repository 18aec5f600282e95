package io.millrace.hostile;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Simulated machine with little memory: a control group around the server and its child processes, or, without
 * permission for one, JVM options that limit the memory.
 *
 * @param group directory of the control group; empty without one
 */
record Machine(long memoryBytes, Optional<Path> group) implements AutoCloseable {
    private static final Path UNIFIED = Path.of("/sys/fs/cgroup");
    private static final Path MEMORY = Path.of("/sys/fs/cgroup/memory");
    private static final String PROCESSES = "cgroup.procs";

    static Machine of(long memoryBytes) {
        var name = "millrace-hostile-" + ProcessHandle.current().pid();
        var second = Files.exists(UNIFIED.resolve("cgroup.controllers"));
        var group = second
                ? made(UNIFIED.resolve(name), Map.of("memory.max", memoryBytes, "memory.swap.max", 0L))
                : made(MEMORY.resolve(name), Map.of("memory.limit_in_bytes", memoryBytes));
        return new Machine(memoryBytes, group);
    }

    private static Optional<Path> made(Path group, Map<String, Long> limits) {
        try {
            Files.createDirectory(group);
        } catch (IOException refused) {
            return Optional.empty();
        }
        try {
            for (var limit : limits.entrySet()) {
                Files.writeString(group.resolve(limit.getKey()), Long.toString(limit.getValue()));
            }
            return Optional.of(group);
        } catch (IOException refused) {
            remove(group);
            return Optional.empty();
        }
    }

    /** Command that starts a program on this machine; the program replaces the shell. */
    List<String> command(Path program) {
        var command = new ArrayList<String>();
        group.ifPresent(directory -> command.addAll(List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                directory.resolve(PROCESSES).toString())));
        command.add(program.toString());
        return command;
    }

    /** Settings that simulate the machine without a control group. */
    Map<String, String> settings() {
        return group.isPresent() ? Map.of() : Map.of("MILLRACE_JAVA_OPTIONS", "-XX:MaxRAM=" + memoryBytes);
    }

    String text() {
        return group.map(directory -> "simulated by the control group " + directory)
                .orElse("simulated by -XX:MaxRAM: no control group of memory can be made, so only the heap is bounded");
    }

    /** Number of processes that the kernel's OOM killer has ended. */
    long endedForMemory() {
        return group.map(directory -> Files.exists(directory.resolve("memory.events"))
                        ? directory.resolve("memory.events")
                        : directory.resolve("memory.oom_control"))
                .map(Machine::endedForMemory)
                .orElse(0L);
    }

    private static long endedForMemory(Path events) {
        try {
            return Files.readAllLines(events).stream()
                    .filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                    .sum();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The server's processes must have ended, or be about to end. */
    @Override
    public void close() {
        group.ifPresent(directory -> Waiting.until("nobody is in " + directory, () -> remove(directory)));
    }

    private static boolean remove(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException busy) {
            return false;
        }
    }
}
