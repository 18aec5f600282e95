package io.millrace.sandbox.code;

import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.share.ProcessShares;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Settings of the code module.
 *
 * @param directory of the unpacked transpiler and working directory of workers; created if missing
 * @param memoryLimitBytes memory that user code may hold at one time, per call
 * @param waitingMax calls that may wait for a worker
 * @param waitingPerKeyMax number of waiting calls of one key
 * @param idleMs after which a worker without work ends, but for the last one
 * @param isolation kernel isolation of each worker
 * @param backoff waits of code that repeatedly hits its limits
 */
public record CodeSettings(
        Path directory,
        long memoryLimitBytes,
        Workers workers,
        int waitingMax,
        int waitingPerKeyMax,
        long idleMs,
        Isolation isolation,
        BackoffSettings backoff) {
    /**
     * Numbers of workers.
     *
     * @param max number of processes that run code at the same time while no key has to wait
     * @param ceiling processes that run code of all keys together
     * @param perKeyMax number of them that calls of one key may hold
     */
    public record Workers(int max, int ceiling, int perKeyMax) {}

    private static final long MEMORY_MIN = 16L << 20;

    /** Idle timeout in milliseconds of all workers but the last one: a worker holds about 100 MB and starts within 1 s. */
    private static final long IDLE_MS = 15_000;

    /** Memory of the engine and the virtual machine of a worker besides the code of users: about 110 MB. */
    private static final long BESIDE_CODE_BYTES = 112L << 20;

    public CodeSettings {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(isolation, "isolation");
        Objects.requireNonNull(backoff, "backoff");
        if (memoryLimitBytes < MEMORY_MIN) {
            throw new IllegalArgumentException(
                    "expected a memory limit of at least " + MEMORY_MIN + " bytes, but found " + memoryLimitBytes);
        }
        if (workers.max() < 1
                || workers.ceiling() < workers.max()
                || workers.perKeyMax() < 1
                || waitingMax < 1
                || waitingPerKeyMax < 1
                || idleMs < 1) {
            throw new IllegalArgumentException("expected positive numbers of workers, waiting calls and idle time");
        }
    }

    /** Working directory of workers, with the transpiler and the start cache; workers cannot write to it. */
    public Path home() {
        return directory.toAbsolutePath();
    }

    public Path engineDirectory() {
        return home().resolve("engine");
    }

    public ProcessShares shares() {
        return new ProcessShares(workers.max(), workers.ceiling());
    }

    /** Largest memory of one worker in bytes. */
    public static long processBytes(long memoryLimitBytes) {
        return memoryLimitBytes + BESIDE_CODE_BYTES;
    }

    /**
     * Bounds for a host.
     *
     * @param shares of workers; one key never holds the last of the usual number, unless there is only one
     */
    public static CodeSettings forHost(
            Path directory, long memoryLimitBytes, ProcessShares shares, Isolation isolation, BackoffSettings backoff) {
        return new CodeSettings(
                directory,
                memoryLimitBytes,
                new Workers(shares.usual(), shares.ceiling(), Math.max(1, shares.usual() - 1)),
                2000,
                500,
                IDLE_MS,
                isolation,
                backoff);
    }
}
