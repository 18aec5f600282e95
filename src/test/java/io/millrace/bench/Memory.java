package io.millrace.bench;

import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Memory of a server and all that it started, each shared page counted once (the kernel's proportional set size). */
final class Memory {
    private static final String PREFIX = "Pss:";

    private Memory() {}

    static long megabytes(ServerProcess server) {
        return server.processes().stream().mapToLong(Memory::kilobytes).sum() / 1024;
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
