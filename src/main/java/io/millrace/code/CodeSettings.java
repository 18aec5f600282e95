package io.millrace.code;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Settings of the code room.
 *
 * @param directory where the transpiler is unpacked and workers stand; made when missing
 * @param memoryLimitBytes memory that user code may hold at one time, per call
 * @param workersMax processes that run code at the same time
 * @param workersPerKeyMax how many of them calls of one key may hold
 * @param waitingMax calls that may wait for a worker
 * @param waitingPerKeyMax how many of them may have one key
 * @param idleMs after which a worker without work ends
 */
public record CodeSettings(
        Path directory,
        long memoryLimitBytes,
        int workersMax,
        int workersPerKeyMax,
        int waitingMax,
        int waitingPerKeyMax,
        long idleMs) {
    private static final long MEMORY_MIN = 16L << 20;

    public CodeSettings {
        Objects.requireNonNull(directory, "directory");
        if (memoryLimitBytes < MEMORY_MIN) {
            throw new IllegalArgumentException(
                    "expected a memory limit of at least " + MEMORY_MIN + " bytes, but found " + memoryLimitBytes);
        }
        if (workersMax < 1 || workersPerKeyMax < 1 || waitingMax < 1 || waitingPerKeyMax < 1 || idleMs < 1) {
            throw new IllegalArgumentException("expected positive numbers of workers, waiting calls and idle time");
        }
    }

    /** Bounds for a host: as many workers as processors but at least two, of which one key never holds the last. */
    public static CodeSettings forHost(Path directory, long memoryLimitBytes, int processors) {
        int workers = Math.max(2, processors);
        return new CodeSettings(directory, memoryLimitBytes, workers, workers - 1, 2000, 500, 60_000);
    }
}
