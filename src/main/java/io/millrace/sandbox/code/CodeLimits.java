package io.millrace.sandbox.code;

/**
 * Limits of one call. The memory limit is the size of the worker's heap, the same for all calls ({@link CodeSettings}).
 *
 * @param timeLimitMs from the begin of the execution, waiting for timers included, waiting for a worker excluded
 * @param logLimitBytes console output that is kept; the rest is dropped and the log marked
 * @param outputLimitBytes JSON text of the returned value
 */
public record CodeLimits(long timeLimitMs, long logLimitBytes, long outputLimitBytes) {
    private static final long BYTES_MAX = 128L << 20;

    public CodeLimits {
        if (timeLimitMs < 1) {
            throw new IllegalArgumentException("expected a time limit of at least 1 ms, but found " + timeLimitMs);
        }
        if (logLimitBytes < 0 || logLimitBytes > BYTES_MAX || outputLimitBytes < 0 || outputLimitBytes > BYTES_MAX) {
            throw new IllegalArgumentException("expected log and output limits between 0 and " + BYTES_MAX
                    + ", but found " + logLimitBytes + " and " + outputLimitBytes);
        }
    }
}
