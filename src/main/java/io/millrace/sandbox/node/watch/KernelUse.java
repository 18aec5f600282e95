package io.millrace.sandbox.node.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Resource usage of a process as the kernel counts it: the heap, and buffers, which a heap limit does not count (contract pieces
 * 10.2).
 *
 * @param memoryBytes resident and swapped out
 * @param threads all its threads, those of its engine included
 * @param processorMs processor time since its start
 * @param isRunning true if its first thread runs or waits for a processor now
 * @param isEnding true if its first thread has ended: the kernel no longer reports its memory, even if other threads
 *     continue
 * @param hasOnlyOtherThreads true if its first thread has ended and others continue
 */
record KernelUse(
        long memoryBytes,
        int threads,
        long processorMs,
        boolean isRunning,
        boolean isEnding,
        boolean hasOnlyOtherThreads) {
    private static final String RUNNING = "R";

    /** Duration of a tick, the unit of times in /proc on Linux. */
    private static final int TICK_MS = 10;

    /** Fields of proc_pid_stat(5), counted from the field after the name. */
    private static final int USER_TIME_AT = 11;

    private static final int SYSTEM_TIME_AT = 12;

    private static final String RESIDENT = "VmRSS:";
    private static final String SWAPPED = "VmSwap:";
    private static final String THREADS = "Threads:";

    /** Pending signals of a thread, in hexadecimal. */
    private static final String PENDING = "SigPnd:";

    private static final long SIGKILL = 1L << 8;

    /** Usage of a running process; empty if it has ended, or if the kernel has no such tables. Blocks. */
    static Optional<KernelUse> of(long pid) {
        var folder = Path.of("/proc", Long.toString(pid));
        try {
            var memoryKilobytes = 0L;
            var hasMemory = false;
            var threads = 0;
            for (var line : Files.readAllLines(folder.resolve("status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(RESIDENT) || line.startsWith(SWAPPED)) {
                    memoryKilobytes += number(line);
                    hasMemory = true;
                } else if (line.startsWith(THREADS)) {
                    threads = (int) number(line);
                }
            }
            var stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            var ticks = Long.parseLong(fields[USER_TIME_AT]) + Long.parseLong(fields[SYSTEM_TIME_AT]);
            return Optional.of(new KernelUse(
                    memoryKilobytes << 10,
                    threads,
                    ticks * TICK_MS,
                    fields[0].equals(RUNNING),
                    !hasMemory,
                    !hasMemory && threads > 1 && hasLiveThread(folder)));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** True if the process has ended, or is about to. Blocks. */
    static boolean isEnding(long pid) {
        return of(pid).map(KernelUse::isEnding).orElse(true);
    }

    /** True if a thread still has memory and is not about to be killed, as all threads are while a process ends. */
    private static boolean hasLiveThread(Path folder) throws IOException {
        try (var threads = Files.newDirectoryStream(folder.resolve("task"))) {
            for (var thread : threads) {
                if (isLive(thread)) {
                    return true;
                }
            }
            return false;
        } catch (DirectoryIteratorException ended) {
            return false;
        }
    }

    private static boolean isLive(Path thread) {
        try {
            var hasMemory = false;
            var pending = 0L;
            for (var line : Files.readAllLines(thread.resolve("status"), StandardCharsets.ISO_8859_1)) {
                hasMemory |= line.startsWith(RESIDENT);
                if (line.startsWith(PENDING)) {
                    pending = Long.parseUnsignedLong(
                            line.substring(PENDING.length()).strip(), 16);
                }
            }
            return hasMemory && (pending & SIGKILL) == 0;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Number in a line such as {@code VmRSS:    1234 kB}. */
    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
